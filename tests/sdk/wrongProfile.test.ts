import { beforeAll, describe, expect, test } from "@jest/globals";
import type { EventDatasets } from "../../sdk";
import { clientOperationNames, clientOperations, sameId } from "../faults/clientOperations";
import { connect, failure } from "../support/client";
import { startTemporaryEmulator } from "../support/deployment";
import { json, startService } from "../support/service";
import { openForTests } from "../support/suite";

const apl = "['web'] | count";
const profile = "option profile of EventDatasets";
const name = "option formatParameter of EventDatasets";

test("a client with the profile documented, at a service that requires the format, names the profile and the setting", async () => {
  await using service = await startTemporaryEmulator({ profile: "extended" });
  const error = await failure(connect(service.url, { accessToken: service.rootToken }).queries.apl({ apl }));
  expect(error.message).toContain(
    `; the profile "documented" does not know the name of the query parameter format: set ${profile} to "extended", or ${name} to the name`,
  );
});

describe("a client with the profile extended, at a service with only the documented interface,", () => {
  const refused: [string, (client: EventDatasets) => Promise<unknown>, string][] = [
    ["a query", (c) => c.queries.apl({ apl }), "the query parameter format"],
    ["an operation", (c) => c.tokens.delete("t1"), "the operation tokens.delete"],
    ["another operation", (c) => c.annotations.list(), "the operation annotations.list"],
    [
      "a field",
      (c) => c.tokens.create({ name: "ci", viewCapabilities: { web: { query: ["read"] } } }),
      "the field viewCapabilities",
    ],
  ];

  test.each(refused)("names the profile and the setting: %s", async (_, call, part) => {
    await using service = await startTemporaryEmulator({ profile: "documented" });
    const client = connect(service.url, { accessToken: service.rootToken, profile: "extended" });
    const error = await failure(call(client));
    expect(error.message).toContain(
      `; ${part} is in the profile "extended" only: ` +
        `if the service does not have it, set ${profile} to "documented"`,
    );
  });

  test.each([
    ["the query is wrong", json(400, { message: "unknown column stauts" })],
    ["the dataset does not exist", json(404, { message: "dataset web not found" })],
    ["the service failed", json(503, { message: "format" })],
  ])("says nothing about profiles where %s", async (_, behaviour) => {
    await using service = await startService(behaviour);
    const error = await failure(connect(service.url, { profile: "extended" }).queries.apl({ apl }));
    expect(error.message).not.toContain("profile");
  });
});

describe("a token without the capability", () => {
  const service = openForTests(() => startTemporaryEmulator({ profile: "extended" }));
  let weak: EventDatasets;
  beforeAll(async () => {
    await service.ingest("web", [{ status: 500 }]);
    const root = connect(service.url, { accessToken: service.rootToken, profile: "extended" });
    const { token } = await root.tokens.create({ name: "weak", orgCapabilities: { users: ["read"] } });
    weak = connect(service.url, { accessToken: token, profile: "extended" });
  });

  // The local service knows nothing of the client's table, and names the capability in its own message.
  test.each(clientOperationNames)("is told which one %s needs", async (name) => {
    const { status, message } = await failure(clientOperations[name].run(weak, sameId("t1")));
    expect(status).toBe(403);
    const [, said] = /Capabilities\S*\.(\w+: \w+)/.exec(message) ?? [];
    expect(message).toContain(`lacks a capability, or is not valid: this call needs ${said ?? "query: read"}`);
  });
});
