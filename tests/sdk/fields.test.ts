import { expect, test } from "@jest/globals";
import { offers } from "../../sdk";
import { operations, type Profile, profiles, type SendingOperation } from "../../sdk/operations";
import { bodyFields } from "../../sdk/requests";
import { call, start } from "../emulator/harness";

interface Fields {
  readonly [name: string]: { readonly profile: Profile; readonly fields?: Fields };
}

/** A request of each operation with a body, and the documented fields of the body (documented interface, 2.3, 4.1 and 4.6). */
const requests: Readonly<Record<SendingOperation, { readonly line: string; readonly documented: readonly string[] }>> =
  {
    "tokens.create": {
      line: "POST /v2/tokens",
      documented: ["name", "description", "expiresAt", "datasetCapabilities", "orgCapabilities"],
    },
    "tokens.regenerate": { line: "POST /v2/tokens/t1/regenerate", documented: [] },
    "annotations.create": {
      line: "POST /v2/annotations",
      documented: ["datasets", "title", "description", "type", "time", "endTime", "url"],
    },
    // The whole operation is not documented; its fields are those of a create.
    "annotations.update": {
      line: "PUT /v2/annotations/a1",
      documented: ["datasets", "title", "description", "type", "time", "endTime", "url"],
    },
    "queries.apl": { line: "POST /v1/datasets/_apl?format=legacy", documented: ["apl", "startTime", "endTime"] },
    "queries.dataset": {
      line: "POST /v1/datasets/web/query",
      documented: [
        ...[
          "aggregations",
          "continuationToken",
          "cursor",
          "startTime",
          "endTime",
          "filter",
          "groupBy",
          "includeCursor",
        ],
        ...["limit", "order", "project", "queryOptions", "resolution"],
      ],
    },
  };

const names = Object.keys(bodyFields) as SendingOperation[];
const fieldsOf = (name: SendingOperation): Fields => bodyFields[name];

test.each(names)("the documented fields of %s are those of the documented interface", (name) => {
  const found = Object.entries(fieldsOf(name)).filter(([, { profile }]) => profile === "documented");
  expect(found.map(([field]) => field)).toEqual(requests[name].documented);
});

/** The fields with their paths, such as `newToken.name`. */
const listPaths = (fields: Fields, within = ""): [path: string, profile: Profile][] =>
  Object.entries(fields).flatMap(([field, { profile, fields: inner = {} }]): [string, Profile][] => [
    [`${within}${field}`, profile],
    ...listPaths(inner, `${within}${field}.`),
  ]);

/** A body that holds only a number, which no field of text, list or object takes, at a path. */
const bodyWith = (path: string) => path.split(".").reduceRight<unknown>((inner, field) => ({ [field]: inner }), 1);

test.each(profiles)("the emulator has exactly the fields that the client may send: %s", async (profile) => {
  await using emulator = await start({ profile });
  for (const name of names.filter((operation) => offers(profile, operations[operation]))) {
    const line = profile === "documented" ? requests[name].line.replace("?format=legacy", "") : requests[name].line;
    for (const [path, needed] of listPaths(fieldsOf(name))) {
      const { body } = await call(emulator.url, line, { body: bodyWith(path) });
      const isKnown = !String(body?.message).includes("there is no such");
      expect({ name, path, isKnown }).toEqual({ name, path, isKnown: offers(profile, { profile: needed }) });
    }
  }
});
