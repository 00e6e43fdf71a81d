import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { EventDatasets } from "../../../sdk";
import type { Deployment } from "../../support/deployment";
import { forms } from "../../support/forms";
import { useWarmHosts } from "../../support/warmHosts";
import { audit, declare, deploy, expiresAt, liveIds, rights } from "./world";

useWarmHosts();

/** A token that somebody made by hand. */
const legacy = `name: "legacy", expiresAt: "${expiresAt}", ${rights}`;
const rotated = `${legacy}, rotation: { triggers: { round: 2 } }`;

const program = (args: string, options = "") =>
  `new Consumer("consumer", new ApiToken("ci", { ${args} }, { ${options} }).id);`;

async function makeByHand({ service }: Deployment): Promise<string> {
  await using client = new EventDatasets({ baseUrl: service.url, accessToken: service.rootToken });
  return (await client.tokens.create({ name: "legacy", expiresAt, orgCapabilities: { apiTokens: ["read"] } })).id;
}

describe.each(forms)("in the %s form", (form) => {
  /** A stack that adopted the token in one update, and whose program says nothing of that any more. */
  async function adoptFirst(options = "") {
    const it = await deploy(form, program(`${legacy}, adopt: { name: "legacy" }`, options));
    const old = await makeByHand(it);
    await it.workspace.up();
    await declare(it, form, program(legacy, options));
    await it.workspace.up({ args: ["--expect-no-changes"] });
    return { it, old };
  }

  describe("the rotation of an adopted token revokes the old one, at the latest in the next update", () => {
    test("an interrupted rotation is finished by the next update; until then an audit exits with 1", async () => {
      const { it, old } = await adoptFirst();
      await using _ = it;
      const down = path.join(it.workspace.program, "down");
      await declare(it, form, program(rotated));
      const { stdout, stderr } = await it.workspace.preview();
      expect(stdout + stderr).toContain("rotation.triggers.round changed. The old token is then revoked.");
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

    test.each([
      ["--replace", "", ["--replace"]],
      ["--replace, with deleteBeforeReplace", "deleteBeforeReplace: true", ["--replace"]],
      ["a new trigger, with deleteBeforeReplace", "deleteBeforeReplace: true", []],
    ])("%s: the update revokes the old token, and a preview with a diff says so", async (_, options, flags) => {
      const { it, old } = await adoptFirst(options);
      await using __ = it;
      const { urn } = await it.resource("ApiToken", "ci");
      const args = flags.flatMap((flag) => [flag, urn]);
      if (flags.length === 0) await declare(it, form, program(rotated, options));
      const { stdout, stderr } = await it.workspace.preview({ args });
      // With --replace the engine calls no diff, so the provider knows of the replacement only when it happens.
      const said = /API token "legacy"[^\n]* will be replaced[^\n]* The old token is then revoked\./.test(
        stdout + stderr,
      );
      expect(said).toBe(flags.length === 0);
      await it.workspace.up({ args });
      const { id } = await it.resource("ApiToken", "ci");
      expect(id).not.toBe(old);
      expect(liveIds(it)).toEqual([id]);
      await it.workspace.preview({ args: ["--expect-no-changes"] });
    });
  });

  test("the retire of the program counts, also when it changes together with a rotation", async () => {
    const dated = `${rights}, expiresAt: "${expiresAt}"`;
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
