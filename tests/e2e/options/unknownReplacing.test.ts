import { describe, expect, test } from "@jest/globals";
import { forms } from "../../support/program";
import { useWarmHosts } from "../../support/warmHosts";
import { declare, deploy, expiresAt, liveIds, rights } from "../promises/world";

useWarmHosts();

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
export const { id } = new ApiToken("ci", { ${rights}, expiresAt: "${expiresAt}", description: text }, ${options});
new Consumer("app", id);
`;

describe.each(forms)("in the %s form", (form) => {
  test("an upstream resource that is deleted first takes no token with it: an equal value keeps it, another one replaces it", async () => {
    await using it = await deploy(form, program(1, "same"));
    const { workspace } = it;
    await workspace.writeFile("upstream.js", upstream);
    await workspace.up();
    const [first = ""] = liveIds(it);

    await declare(it, form, program(2, "same"));
    const { stdout } = await workspace.preview();
    expect(stdout).toMatch(/ci +replace/);
    await workspace.up();
    expect(liveIds(it)).toEqual([first]);

    // The engine refuses to preview a replacement of a protected resource, so the update runs without a preview.
    await declare(it, form, program(2, "same", "{ protect: true }"));
    await workspace.up();
    await declare(it, form, program(3, "same", "{ protect: true }"));
    expect((await workspace.preview({ expectFailure: true })).stdout).toMatch(/marked for protection/);
    await workspace.up({ args: ["--skip-preview"] });
    expect(liveIds(it)).toEqual([first]);

    await declare(it, form, program(3, "same"));
    await workspace.up();
    await declare(it, form, program(4, "other"));
    const before = it.writes().length;
    await workspace.up();
    // The new token is there before the old one goes.
    expect(it.writes().slice(before)).toEqual(["POST /v2/tokens 200", `DELETE /v2/tokens/${first} 204`]);
    expect(liveIds(it)).toEqual([(await workspace.outputs()).id]);
  });
});
