import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { type Deployment, makeByHand } from "../../support/deployment";
import { forms } from "../../support/forms";
import { useWarmHosts } from "../../support/warmHosts";
import { audit, declare, deploy, expiresAt, liveIds, rights } from "./world";

useWarmHosts();

const dated = `expiresAt: "${expiresAt}", ${rights}`;
/** A token that somebody made by hand. */
const legacy = `name: "legacy", ${dated}`;
const rotated = `${legacy}, rotation: { triggers: { round: 2 } }`;

const program = (args: string) => `new Consumer("consumer", new ApiToken("ci", { ${args} }).id);`;

const makeNamed = async ({ service }: Deployment, name: string): Promise<string> =>
  (await makeByHand(service, { name, expiresAt, orgCapabilities: { apiTokens: ["read"] } })).id;

describe.each(forms)("in the %s form", (form) => {
  /** A stack that adopted the token in one update, and whose program says nothing of that any more. */
  async function adoptFirst() {
    const it = await deploy(form, program(`${legacy}, adopt: { name: "legacy" }`));
    const old = await makeNamed(it, "legacy");
    await it.workspace.up();
    await declare(it, form, program(legacy));
    await it.workspace.up({ args: ["--expect-no-changes"] });
    return { it, old };
  }

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
      const { it, old } = await adoptFirst();
      await using _ = it;
      const down = path.join(it.workspace.program, "down");
      await declare(it, form, program(rotated));
      await writeFile(down, "");
      expect((await it.workspace.up({ expectFailure: true })).stdout).toContain("the consumer is down");
      const [, successor = ""] = liveIds(it);
      expect(liveIds(it)).toEqual([old, successor]);

      // In a state that lost the pending deletion, the successor's record alone tells of the old token.
      const { deployment, ...rest } = await it.workspace.export();
      const resources = deployment.resources?.filter((resource) => resource.delete !== true);
      const interrupted = await audit(it, { ...rest, deployment: { ...deployment, resources } });
      expect(interrupted.code).toBe(1);
      expect(interrupted.about(old)).toMatchObject([
        { rule: "orphaned", message: expect.stringContaining("the update that should have revoked it did not finish") },
      ]);

      await rm(down);
      await it.workspace.up();
      expect(liveIds(it)).toEqual([successor]);
      expect((await audit(it)).about(old)).toEqual([]);
    });

    test("--replace, with and without deleteBeforeReplace, and a new trigger: the update does, and a preview with a diff says so", async () => {
      const first = "deleteBeforeReplace: true";
      const options = { replaced: "", replacedFirst: first, triggered: first };
      const text = (args: string, more: string) =>
        Object.entries(options)
          .map(([name, own]) => {
            const declared = `name: "${name}", ${dated}, ${name === "triggered" ? more : ""} ${args.replace("NAME", name)}`;
            return `new Consumer("of-${name}", new ApiToken("${name}", { ${declared} }, { ${own} }).id);`;
          })
          .join("\n");
      await using it = await deploy(form, text(`adopt: { name: "NAME" }`, ""));
      const names = Object.keys(options);
      const old: string[] = [];
      for (const name of names) old.push(await makeNamed(it, name));
      await it.workspace.up();
      await declare(it, form, text("", ""));
      await it.workspace.up({ args: ["--expect-no-changes"] });

      // With --replace the engine calls no diff, so the provider knows of the replacement only when it happens.
      const urns = ["replaced", "replacedFirst"].map(async (name) => (await it.resource("ApiToken", name)).urn);
      const args = (await Promise.all(urns)).flatMap((urn) => ["--replace", urn]);
      await it.workspace.up({ args });
      await declare(it, form, text("", "rotation: { triggers: { round: 2 } },"));
      expect(await fatesIn(it)).toEqual(["triggered"]);
      await it.workspace.up();
      const ids = await Promise.all(names.map(async (name) => (await it.resource("ApiToken", name)).id ?? ""));
      expect(ids.filter((id) => old.includes(id))).toEqual([]);
      expect(liveIds(it).sort()).toEqual([...ids].sort());
    });
  });

  test("the retire of the program counts, also when it changes together with a rotation", async () => {
    const two = (round: number, kept: string, revoked: string) => `
new ApiToken("kept", { ${dated}, ${kept} rotation: { triggers: { round: ${round} } } });
new ApiToken("revoked", { ${dated}, ${revoked} rotation: { triggers: { round: ${round} } } });`;
    const expire = `retire: "expire",`;
    await using it = await deploy(form, two(1, "", expire));
    await it.workspace.up();
    const ids = async () => [(await it.resource("ApiToken", "kept")).id, (await it.resource("ApiToken", "revoked")).id];
    const [kept = "", revoked = ""] = await ids();

    await declare(it, form, two(2, expire, `retire: "revoke",`));
    const { stdout, stderr } = await it.workspace.preview();
    const said = (name: string, fate: string) =>
      new RegExp(`API token "${name}-\\w+"[^\\n]* rotation\\.triggers\\.round changed\\. The old token ${fate}`);
    expect(stdout + stderr).toMatch(said("kept", `stays valid until ${expiresAt}\\.`));
    expect(stdout + stderr).toMatch(said("revoked", "is then revoked\\."));
    await it.workspace.up();
    expect(liveIds(it).sort()).toEqual([kept, ...(await ids())].sort());
    expect(liveIds(it)).not.toContain(revoked);
  });
});
