import { describe, expect, test } from "@jest/globals";
import { forms } from "../../support/forms";
import { useWarmHosts } from "../../support/warmHosts";
import { audit, declare, deploy, liveIds, rights } from "./world";

useWarmHosts();

const program = (round: number) => `
const rotation = { rotateBefore: "14d", overlap: "2d", triggers: { round: ${round} } };
export const { id, token } = new ApiToken("ci", { ${rights}, expiresIn: "90d", rotation });
`;
/** Expects two days after some instant since the start. The service and the preview show seconds. */
const expectInTwoDays = (shown: unknown, start: number) => {
  const from = Date.parse(String(shown)) - 2 * 86_400_000;
  expect(from).toBeGreaterThan(start - 1_000);
  expect(from).toBeLessThanOrEqual(Date.now());
};

describe.each(forms)("in the %s form", (form) => {
  describe("with an overlap, consumers outside of the stack have time to take the new secret", () => {
    test("one request creates the new token and moves the old one's expiry; preview and audit show that date", async () => {
      const start = Date.now();
      await using it = await deploy(form, program(1));
      const { workspace, service } = it;
      await workspace.up();
      const before = await workspace.outputs({ showSecrets: true });
      const works = async () =>
        (await fetch(`${service.url}/v2/tokens`, { headers: { authorization: `Bearer ${before.token}` } })).status;

      await declare(it, form, program(2));
      const { stdout, stderr } = await workspace.preview();
      const [, end] =
        /The old token stays valid until ([\d-]+T[\d:]+Z) \(rotation\.overlap\)/.exec(stdout + stderr) ?? [];
      expectInTwoDays(end, start);
      await workspace.up();
      const after = await workspace.outputs({ showSecrets: true });
      expect(after.token).not.toBe(before.token);
      expect(it.writes()).toEqual(["POST /v2/tokens 200", `POST /v2/tokens/${before.id}/regenerate 200`]);
      expect(liveIds(it)).toEqual([before.id, after.id]);
      expect(await works()).toBe(200);
      const old = service.tokens.list().find(({ id }) => id === before.id);
      expectInTwoDays(old?.expiresAt, start);
      const { code, about } = await audit(it);
      expect(about(String(before.id))).toMatchObject([
        { rule: "retired", severity: "note", message: expect.stringContaining(String(old?.expiresAt)) },
      ]);
      expect(code).toBe(0);
      await workspace.preview({ args: ["--expect-no-changes"] });
    });

    test("the documented profile refuses it at preview, and says what to use instead", async () => {
      await using it = await deploy(form, program(1), { profile: "documented" });
      const { stdout } = await it.workspace.preview({ expectFailure: true });
      expect(stdout).toMatch(/rotation\.overlap needs the profile extended: .* use retire: "expire" and a longer/);
      expect(it.service.calls).toEqual([]);
    });
  });
});
