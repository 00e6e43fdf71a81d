import { describe, expect, test } from "@jest/globals";
import { forms } from "../../support/forms";
import { type Behaviour, startService } from "../../support/service";
import { useWarmHosts } from "../../support/warmHosts";
import { declare, deploy } from "./world";

useWarmHosts();

const hour = 3_600_000;

/** A service whose clock is three hours ahead of this machine's, as this machine's clock is if it is three hours slow. */
function startAhead() {
  const sent: { readonly expiresAt: string }[] = [];
  const answer: Behaviour = (response, { call, body }) => {
    const at = new Date(Date.now() + 3 * hour);
    const head = { "content-type": "application/json", date: at.toUTCString() };
    const created = call.startsWith("POST");
    if (created) sent.push(JSON.parse(body));
    const token = { name: "ci", ...sent.at(-1), id: `t${sent.length}` };
    const shown = created ? { ...token, token: `xaat-${sent.length}` } : token;
    response.writeHead(200, head).end(JSON.stringify(call === "GET /v2/tokens" ? [shown] : shown));
  };
  return { sent, started: startService(answer) };
}

describe.each(forms)("in the %s form", (form) => {
  test("a trigger that is not a number does not pass the preview", async () => {
    await using it = await deploy(form, `new ApiToken("ci", { rotation: { triggers: { g: Number(undefined) } } });`);
    const { stdout } = await it.workspace.preview({ expectFailure: true });
    expect(stdout).toContain("rotation.triggers must be an object of strings, finite numbers and booleans");
    expect(it.service.calls).toEqual([]);
  });

  // In the extended profile the service tells its clock before the first create: the tokens are listed to check the connection.
  test.each([
    ["documented", [false, true]],
    ["extended", [true, true]],
  ])(
    "with a clock that is three hours slow and the profile %s, a rotation creates a token that is valid by the service's clock",
    async (profile, valid) => {
      const { sent, started } = startAhead();
      await using service = await started;
      const program = (round: number) =>
        `new ApiToken("ci", { name: "ci", expiresIn: "2h", rotation: { rotateBefore: "1h", triggers: { round: ${round} } } });`;
      const env = { EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_PROFILE: profile };
      await using it = await deploy(form, program(1), { env });
      const { stdout, stderr } = await it.workspace.up();
      const isWarned = (stdout + stderr).includes("it has expired already according to the service's clock");
      expect(isWarned).toBe(profile === "documented");
      await declare(it, form, program(2));
      await it.workspace.up();
      const ahead = Date.now() + 3 * hour;
      expect(sent.map(({ expiresAt }) => Date.parse(expiresAt) > ahead + hour)).toEqual(valid);
    },
  );

  test("a service that refuses a second token of the same name: the error suggests deleteBeforeReplace or a generated name", async () => {
    await using it = await deploy(form, `new ApiToken("ci", { name: "taken" });`);
    const action = { kind: "status", status: 409, body: { code: 409, message: "token exists" } } as const;
    it.service.inject({ method: "POST", path: "/v2/tokens", action });
    const { stdout } = await it.workspace.up({ expectFailure: true });
    expect(stdout).toContain(
      "leave the name out, so that each token gets its own, or set the option deleteBeforeReplace",
    );
    expect(it.writes()).toEqual(["POST /v2/tokens 409"]);
  });
});
