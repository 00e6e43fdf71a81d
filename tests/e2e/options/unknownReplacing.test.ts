import { expect, test } from "@jest/globals";
import { declare, deploy, expiresAt, liveIds, rights } from "../promises/world";

/** A resource that is deleted before it is replaced: the engine then asks, before any check, what each dependent would do. */
const upstream = `
exports.diff = async (id, olds, news) => ({
  changes: olds.version !== news.version, replaces: olds.version === news.version ? [] : ["version"], deleteBeforeReplace: true,
});
exports.create = async ({ version, source }) => ({ id: "upstream-" + version, outs: { version, source, text: source } });
exports.delete = async () => undefined;
`;

const program = (version: number, text: string, options = "{}") => `
class Upstream extends pulumi.CustomResource {
  declare readonly text: pulumi.Output<string>;
  constructor(name: string, args: { version: number; source: string }) {
    super("pulumi-nodejs:test:Upstream", name, { ...args, text: undefined, __provider: 'exports.handler=()=>require("./upstream.js")' });
  }
}
const { text } = new Upstream("upstream", { version: ${version}, source: "${text}" });
inBothForms((form, { ApiToken }) => new ApiToken(form, { ${rights}, expiresAt: "${expiresAt}", description: text }, ${options}));
`;

test("an upstream resource that is deleted first takes no token with it: an equal value keeps it, another one replaces it", async () => {
  await using it = await deploy("both", program(1, "same"));
  const { workspace } = it;
  await workspace.writeFile("upstream.js", upstream);
  await workspace.up();
  const first = liveIds(it);

  await declare(it, "both", program(2, "same"));
  const { stdout } = await workspace.preview();
  for (const form of ["dynamic", "native"]) expect(stdout).toMatch(new RegExp(`${form} +replace`));
  await workspace.up();
  expect(liveIds(it)).toEqual(first);

  // The engine refuses to preview a replacement of a protected resource, so the update runs without a preview.
  await declare(it, "both", program(2, "same", "{ protect: true }"));
  await workspace.up({ args: ["--skip-preview"] });
  await declare(it, "both", program(3, "same", "{ protect: true }"));
  expect((await workspace.preview({ expectFailure: true })).stdout).toMatch(/marked for protection/);
  await workspace.up({ args: ["--skip-preview"] });
  expect(liveIds(it)).toEqual(first);

  await declare(it, "both", program(3, "same"));
  await workspace.up({ args: ["--skip-preview"] });
  await declare(it, "both", program(4, "other"));
  const before = it.writes().length;
  await workspace.up();
  // The new tokens are there before the old ones go.
  const writes = it.writes().slice(before);
  expect(writes.slice(0, 2)).toEqual(Array(2).fill("POST /v2/tokens 200"));
  expect(writes.slice(2).sort()).toEqual(first.map((id) => `DELETE /v2/tokens/${id} 204`).sort());
});
