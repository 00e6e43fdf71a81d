import { expect, test } from "@jest/globals";
import { apiToken } from "../../provider/lifecycle/token/apiToken";
import { Connection } from "../../provider/session/connection";
import { Hooks } from "../../provider/session/hooks";
import { json, startService } from "../support/service";

test.each(["of the process", "of the resource"])(
  "a token whose warning does not reach the engine is recorded all the same, with its secret (%s)",
  async (whose) => {
    const minted = { id: "t1", name: "ci", token: "xaat-1", description: "not what was asked for" };
    await using service = await startService(json(200, minted));
    const unreachable = () => Promise.reject(new Error("14 UNAVAILABLE"));
    const deaf = { warn: unreachable, inform: unreachable };
    const connection = new Connection(deaf);
    const settings: Readonly<Record<string, string>> = {
      "event-datasets:provider": "own",
      "event-datasets:baseUrl": service.url,
      "event-datasets:accessToken": "xaat-root",
    };
    connection.configure({ get: (key) => settings[key] });
    const { id, state } = await connection.run(
      (session) => apiToken.create(session, { name: "ci" }),
      whose === "of the resource" ? deaf : undefined,
    );
    expect([id, state.token]).toEqual(["t1", "xaat-1"]);
    expect(service.calls).toEqual(["POST /v2/tokens"]);
  },
);

test("a note of a plan that does not reach the engine is no failure of the plan", async () => {
  const unreachable = () => Promise.reject(new Error("14 UNAVAILABLE"));
  const deaf = { warn: unreachable, inform: unreachable };
  const connection = new Connection(deaf);
  const settings: Readonly<Record<string, string>> = {
    "event-datasets:provider": "own",
    "event-datasets:baseUrl": "http://127.0.0.1:1",
    "event-datasets:accessToken": "xaat-root",
  };
  connection.configure({ get: (key) => settings[key] });
  const hooks = new Hooks(apiToken, connection);
  const { inputs, reasons } = await hooks.check(undefined, { name: "ci", adopt: { id: "not-told" } }, deaf);
  expect(reasons).toEqual([]);
  const { adopt: _, ...renewed } = { ...inputs, description: "new" };
  const { replaces } = await hooks.diff("t1", { name: "ci", token: "xaat-1" }, renewed, deaf);
  expect(replaces).toEqual(["description"]);
});
