import { expect, test } from "@jest/globals";
import type { EventDatasets } from "../../sdk";
import { operations } from "../../sdk/operations";
import { clientOperationNames, clientOperations, sameId } from "../faults/clientOperations";
import { connect } from "../support/client";
import { json, startService } from "../support/service";

type Refused = [string, (client: EventDatasets) => Promise<unknown>, string];

const ofProfile = (profile: string) => clientOperationNames.filter((name) => operations[name].profile === profile);

const refused: Refused[] = [
  ...ofProfile("extended").map(
    (name): Refused => [name, (client) => clientOperations[name].run(client, sameId("t1")), `${name} is`],
  ),
  [
    "a token for views",
    (c) => c.tokens.create({ name: "ci", viewCapabilities: { web: { query: ["read"] } } }),
    "tokens.create: the field viewCapabilities is",
  ],
  [
    "a virtual field",
    (c) => c.queries.dataset("web", { virtualFields: [{ alias: "slow", expr: "dur > 1" }] }),
    "queries.dataset: the field virtualFields is",
  ],
  ...Object.entries({ cursor: "c", includeCursor: true, variables: { a: 1 }, queryOptions: { a: 1 } }).map(
    ([field, value]): Refused => [
      field,
      (c) => c.queries.apl({ apl: "['web']", [field]: value }),
      `queries.apl: the field ${field} is`,
    ],
  ),
];

test("the documented operations are those of section 4", () => {
  expect(ofProfile("documented")).toEqual([
    "tokens.create",
    "tokens.get",
    "tokens.list",
    "annotations.create",
    "queries.apl",
    "queries.dataset",
  ]);
});

test.each(refused)("%s is refused in the documented profile before any request", async (_, call, reason) => {
  await using service = await startService(json(200, {}));
  await expect(call(connect(service.url))).rejects.toThrow(
    new Error(`${reason} not in the profile "documented": set option profile of EventDatasets to "extended"`),
  );
  expect(service.calls).toEqual([]);
});

test.each(["documented", "extended"] as const)(
  "a field that no interface has is refused in the profile %s, with the nearest one",
  async (profile) => {
    await using service = await startService(json(200, {}));
    const client = connect(service.url, { profile });
    const spec = { name: "ci", expireAt: "2027-01-01T00:00:00Z" };
    await expect(client.tokens.create(spec)).rejects.toThrow(
      'tokens.create: the field expireAt does not exist; did you mean "expiresAt"?',
    );
    if (profile === "extended")
      await expect(
        client.tokens.regenerate("t1", { existingTokenExpiresAt: spec.expireAt, newToken: spec }),
      ).rejects.toThrow('tokens.regenerate: the field newToken.expireAt does not exist; did you mean "expiresAt"?');
    expect(service.calls).toEqual([]);
  },
);

test("an undefined optional field is not sent", async () => {
  await using service = await startService(json(200, { id: "t1", name: "ci", token: "xaat-1" }));
  const description: string | undefined = undefined;
  await connect(service.url).tokens.create({ name: "ci", description, viewCapabilities: undefined });
  expect(service.requests[0]?.body).toBe('{"name":"ci"}');
});

test("every request of the extended profile carries the organization; the documented profile refuses the setting", async () => {
  await using service = await startService(json(200, []));
  await connect(service.url, { profile: "extended", orgId: "org-1" }).tokens.list();
  expect(service.requests[0]?.headers["x-axiom-org-id"]).toBe("org-1");
  expect(() => connect(service.url, { orgId: "org-1" })).toThrow(
    'option orgId of EventDatasets needs the profile "extended"',
  );
});
