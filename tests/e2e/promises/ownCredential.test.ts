import { expect, test } from "@jest/globals";
import { declare, deploy, idsOf, liveIds } from "./world";

/** The token that the stack works with, and three more, all of one round. */
const program = (round: number) => `
const args = (name: string) => ({
  orgCapabilities: { apiTokens: name === "own" ? ["create", "read", "delete"] : ["read"] },
  rotation: { triggers: { round: ${round} } },
});
const own = new ApiToken("own", args("own"));
for (const name of ["a", "b", "c"]) new ApiToken(name, args(name));
export const { token } = own;
`;

test("the credential in use is not revoked: everything else is, and the error names the two steps that finish it", async () => {
  await using it = await deploy("dynamic", program(1));
  const { workspace } = it;
  const secret = async () => String((await workspace.outputs({ showSecrets: true })).token);
  const credential = (EVENT_DATASETS_ACCESS_TOKEN: string) => ({ env: { EVENT_DATASETS_ACCESS_TOKEN } });
  await workspace.up();
  const first = await secret();
  const [own = ""] = await idsOf(it, ["own"]);

  // A rotation.
  await declare(it, "dynamic", program(2));
  const preview = await workspace.preview(credential(first));
  expect(preview.stdout + preview.stderr).toContain(
    "The old token is the access token in use: it is not revoked before another one is configured.",
  );
  const { stdout, stderr } = await workspace.up({ ...credential(first), expectFailure: true });
  const twoSteps =
    /is the access token that this update uses.*First configure another access token.*then run the command again/s;
  expect(stdout + stderr).toMatch(twoSteps);
  expect(liveIds(it).sort()).toEqual([own, ...(await idsOf(it, ["own", "a", "b", "c"]))].sort());

  const second = await secret();
  expect(second).not.toBe(first);
  await workspace.up(credential(second));
  expect(liveIds(it).sort()).toEqual((await idsOf(it, ["own", "a", "b", "c"])).sort());

  // A destroy.
  const destroyed = await workspace.destroy({ ...credential(second), expectFailure: true });
  expect(destroyed.stdout + destroyed.stderr).toMatch(twoSteps);
  expect(liveIds(it)).toEqual(await idsOf(it, ["own"]));
  await workspace.destroy();
  expect(liveIds(it)).toEqual([]);
  expect(await it.traces(first, second)).toEqual([]);
});
