import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { installCommand, recoverAsPrinted, type Stricken, shell } from "../kills/recovery";
import type { Deployment } from "../support/deployment";
import { declare, deploy, expiresAt, liveIds } from "./promises/world";

/** A hook that asks for every retry. Only it gets the provider's words: the engine prints its own. */
const endless = `
const again = new pulumi.ErrorHook("again", ({ errors }) => {
  if (errors.length === 2) console.log(errors.join());
  return true;
});
const endless = { hooks: { onError: [again] } };
`;

const token = (name: string, options = "{}", more = "") =>
  `const ${name} = new ApiToken("${name}", { expiresAt: "${expiresAt}", ${more} }, ${options});\n`;
const lost = (description: string, options = "{}") => token("lost", options, `description: "${description}"`);
const dependent = token("dependent", "{ dependsOn: lost }");

const urn = "urn:pulumi:dev::e2e::pulumi-nodejs:event-datasets:ApiToken::lost";

/** Deploys a program, and then another one, of which the response to a create is lost and then repeated 100 times. */
async function strike(
  before: string,
  after: string,
): Promise<Deployment & { readonly scene: Stricken; orphan: string }> {
  const it = await deploy("dynamic", before);
  const { workspace, service } = it;
  await installCommand(workspace);
  await workspace.up();
  await declare(it, "dynamic", `${endless}${after}`);
  const known = new Set(liveIds(it));
  service.inject({ method: "POST", path: "/v2/tokens", action: { kind: "close-before-response" } });
  const { stdout } = await workspace.up({ expectFailure: true });
  expect(stdout).toContain("maximum number of error hook retries (100) reached");
  expect(stdout).toContain("let the hook onError return false for it");
  const orphans = liveIds(it).filter((id) => !known.has(id));
  expect(orphans).toHaveLength(1);
  const scene = {
    workspace,
    connection: { baseUrl: service.url, accessToken: service.rootToken, profile: "extended" },
  } as const;
  return Object.assign(it, { scene, orphan: String(orphans[0]) });
}

/** The entries of the state that this test is about. */
const entriesOf = async ({ workspace }: Deployment) =>
  ((await workspace.export()).deployment.resources ?? []).filter((one) => one.urn === urn);

/** The stack is whole, its program is deployed, and nobody has the token that was left behind. */
async function expectWhole(it: Deployment & { readonly orphan: string }, names: readonly string[]) {
  expect(liveIds(it)).not.toContain(it.orphan);
  await it.workspace.up({ args: ["--expect-no-changes"] });
  for (const name of names) expect(liveIds(it)).toContain((await it.resource("ApiToken", name)).id);
  expect(liveIds(it)).toHaveLength(names.length);
}

test("what recover prints repairs a stack whose onError hook never gave up", async () => {
  await using it = await strike(token("kept"), token("kept") + lost("a", "endless"));
  const { workspace, scene, orphan } = it;
  expect(await entriesOf(it)).toEqual([expect.not.objectContaining({ id: expect.anything() })]);
  for (const run of [workspace.up, workspace.refresh, workspace.destroy]) {
    const { stderr, stdout } = await run.call(workspace, { expectFailure: true });
    expect(stdout + stderr).toContain("is marked as custom but has no ID");
  }
  const audited = await shell(scene, "pulumi-event-datasets audit --stack dev");
  expect(audited).toMatchObject({ code: 1, stdout: expect.stringContaining(orphan) });
  expect(audited.stdout).toContain("pulumi-event-datasets recover prints the commands that repair it");
  expect(await recoverAsPrinted(scene)).toMatchObject({ problems: [] });
  await expectWhole(it, ["kept", "lost"]);
});

test.each([
  ["the replaced token has the same URN", "endless"],
  ["a dependent stays", "{ ...endless, deleteBeforeReplace: true }"],
])("where %s, the engine refuses to remove it, and the state is edited as recover says", async (_, options) => {
  await using it = await strike(lost("b") + dependent, lost("a", options) + dependent);
  const { workspace, scene } = it;
  const refused = ["state", "delete", "--yes", "--disable-integrity-checking", urn];
  const { stderr } = await workspace.run(refused, { expectFailure: true });
  expect(stderr).toMatch(/ambiguously referred to multiple resources|can't be safely deleted/);

  const { code, stdout } = await shell(scene, "pulumi-event-datasets recover --stack dev");
  expect(code).toBe(1);
  const [begin = "", finish = ""] = stdout
    .split(/^then remove .*$/m)
    .map((part) => [...part.matchAll(/^ {2}(?!#)(.*)$/gm)].map(([, line]) => line).join("\n"));
  expect(await shell(scene, begin.replace("tokens revoke", "tokens revoke --yes"))).toMatchObject({ code: 0 });
  const exported = JSON.parse(await readFile(path.join(workspace.program, "to-repair.json"), "utf8"));
  const isKept = (one: { urn: string; id?: string }) => one.urn !== urn || one.id !== undefined;
  exported.deployment.resources = exported.deployment.resources.filter(isKept);
  await workspace.writeFile("to-repair.json", JSON.stringify(exported));
  const finished = await shell(scene, finish);
  expect(finished.stdout).toContain("Import complete");
  await expectWhole(it, ["lost", "dependent"]);
});
