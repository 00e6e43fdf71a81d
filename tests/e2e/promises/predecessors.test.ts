import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { type Deployment, makeByHand } from "../../support/deployment";
import { forms } from "../../support/forms";
import { useWarmHosts } from "../../support/warmHosts";
import { audit, declare, deploy, expiresAt, idsOf, liveIds, rights } from "./world";

useWarmHosts();

// Each stack has its tokens in both forms.

const dated = `expiresAt: "${expiresAt}", ${rights}`;

const makeNamed = async ({ service }: Deployment, name: string): Promise<string> =>
  (await makeByHand(service, { name, expiresAt, orgCapabilities: { apiTokens: ["read"] } })).id;

/** The tokens of which a preview says that they are replaced, and the old ones revoked. */
async function fatesIn(it: Deployment): Promise<string[]> {
  const { stdout, stderr } = await it.workspace.preview();
  const said = (stdout + stderr).matchAll(
    /"(\w+)" [^\n]*will be replaced[^\n]* rotation\.triggers\.round changed\. The old token is then revoked\./g,
  );
  return [...new Set(Array.from(said, ([, name = ""]) => name))];
}

describe("the rotation of an adopted token revokes the old one, at the latest in the next update", () => {
  test("an interrupted rotation is finished by the next update; until then an audit exits with 1", async () => {
    const program = (args: string) => `
const ids = inBothForms((form, { ApiToken }) => new ApiToken(form, { name: form, ${dated}, ${args} }).id);
new Consumer("consumer", pulumi.all(ids).apply(String));`;
    await using it = await deploy("both", program("adopt: { name: form }"));
    const old = [await makeNamed(it, "dynamic"), await makeNamed(it, "native")];
    await it.workspace.up();
    await declare(it, "both", program(""));
    await it.workspace.up({ args: ["--expect-no-changes"] });

    const down = path.join(it.workspace.program, "down");
    await declare(it, "both", program("rotation: { triggers: { round: 2 } }"));
    await writeFile(down, "");
    expect((await it.workspace.up({ expectFailure: true })).stdout).toContain("the consumer is down");
    const successors = await idsOf(it, forms);
    expect(successors.filter((id) => old.includes(id))).toEqual([]);
    expect(liveIds(it).sort()).toEqual([...old, ...successors].sort());

    // In a state that lost the pending deletions, the successors' records alone tell of the old tokens.
    const { deployment, ...rest } = await it.workspace.export();
    const resources = deployment.resources?.filter((resource) => resource.delete !== true);
    const interrupted = await audit(it, { ...rest, deployment: { ...deployment, resources } });
    expect(interrupted.code).toBe(1);
    for (const id of old) {
      expect(interrupted.about(id)).toMatchObject([
        { rule: "orphaned", message: expect.stringContaining("the update that should have revoked it did not finish") },
      ]);
    }

    await rm(down);
    await it.workspace.up();
    expect(liveIds(it).sort()).toEqual([...successors].sort());
    const { about } = await audit(it);
    expect(old.flatMap(about)).toEqual([]);
  });

  test("--replace, with and without deleteBeforeReplace, and a new trigger: the update does, and a preview with a diff says so", async () => {
    const first = "deleteBeforeReplace: true";
    const options = { replaced: "", replacedFirst: first, triggered: first };
    const namesOf = (name: string) => forms.map((form) => `${form}_${name}`);
    const names = Object.keys(options).flatMap(namesOf);
    const text = (args: string, more: string) => {
      const declared = Object.entries(options).map(
        ([name, own]) => `
  const ${name} = form + "_${name}";
  const ${name}Args = { name: ${name}, ${dated}, ${name === "triggered" ? more : ""} ${args.replace("NAME", name)} };
  new Consumer("of-" + ${name}, new ApiToken(${name}, ${name}Args, { ${own} }).id);`,
      );
      return `inBothForms((form, { ApiToken }) => {${declared.join("")}\n});`;
    };
    await using it = await deploy("both", text("adopt: { name: NAME }", ""));
    const old: string[] = [];
    for (const name of names) old.push(await makeNamed(it, name));
    await it.workspace.up();
    await declare(it, "both", text("", ""));
    await it.workspace.up({ args: ["--expect-no-changes"] });

    // With --replace the engine calls no diff, so the provider knows of the replacement only when it happens.
    const replaced = ["replaced", "replacedFirst"].flatMap(namesOf);
    const urns = await Promise.all(replaced.map(async (name) => (await it.resource("ApiToken", name)).urn));
    await it.workspace.up({ args: urns.flatMap((urn) => ["--replace", urn]) });
    await declare(it, "both", text("", "rotation: { triggers: { round: 2 } },"));
    expect((await fatesIn(it)).sort()).toEqual(namesOf("triggered"));
    await it.workspace.up();
    const ids = await idsOf(it, names);
    expect(ids.filter((id) => old.includes(id))).toEqual([]);
    expect(liveIds(it).sort()).toEqual([...ids].sort());
  });
});

test("the retire of the program counts, also when it changes together with a rotation", async () => {
  const two = (round: number, kept: string, revoked: string) => `
inBothForms((form, { ApiToken }) => {
  new ApiToken(form + "-kept", { ${dated}, ${kept} rotation: { triggers: { round: ${round} } } });
  new ApiToken(form + "-revoked", { ${dated}, ${revoked} rotation: { triggers: { round: ${round} } } });
});`;
  const expire = `retire: "expire",`;
  await using it = await deploy("both", two(1, "", expire));
  await it.workspace.up();
  const [keptNames, revokedNames] = [forms.map((form) => `${form}-kept`), forms.map((form) => `${form}-revoked`)];
  const kept = await idsOf(it, keptNames);
  const revoked = await idsOf(it, revokedNames);

  await declare(it, "both", two(2, expire, `retire: "revoke",`));
  const { stdout, stderr } = await it.workspace.preview();
  const said = (name: string, fate: string) =>
    new RegExp(`API token "${name}-\\w+"[^\\n]* rotation\\.triggers\\.round changed\\. The old token ${fate}`);
  for (const name of keptNames) expect(stdout + stderr).toMatch(said(name, `stays valid until ${expiresAt}\\.`));
  for (const name of revokedNames) expect(stdout + stderr).toMatch(said(name, "is then revoked\\."));
  await it.workspace.up();
  const renewed = await idsOf(it, [...keptNames, ...revokedNames]);
  expect(liveIds(it).sort()).toEqual([...kept, ...renewed].sort());
  expect(liveIds(it).filter((id) => revoked.includes(id))).toEqual([]);
});
