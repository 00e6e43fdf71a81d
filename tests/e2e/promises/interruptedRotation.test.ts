import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { type Deployment, makeByHand } from "../../support/deployment";
import { forms } from "../../support/program";
import { useWarmHosts } from "../../support/warmHosts";
import { audit, declare, deploy, expiresAt, idsOf, liveIds, rights } from "./world";

useWarmHosts();

// Each stack has its tokens in both forms.

const dated = `expiresAt: "${expiresAt}", ${rights}`;

const makeNamed = async ({ service }: Deployment, name: string): Promise<string> =>
  (await makeByHand(service, { name, expiresAt, orgCapabilities: { apiTokens: ["read"] } })).id;

describe("the rotation of an adopted token revokes the old one, at the latest in the next update", () => {
  test("an interrupted rotation is finished by the next update; until then an audit exits with 1", async () => {
    const program = (args: string) => `
const ids = inBothForms((form, { ApiToken }) => new ApiToken(form, { name: form, ${dated}, ${args} }).id);
new Consumer("consumer", pulumi.all(ids).apply(String));`;
    await using it = await deploy("both", program("adopt: { name: form }"));
    const old = [await makeNamed(it, "dynamic"), await makeNamed(it, "native")];
    await it.workspace.up();
    await declare(it, "both", program(""));
    await it.workspace.up();

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
});
