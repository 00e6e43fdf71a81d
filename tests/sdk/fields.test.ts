import { expect, test } from "@jest/globals";
import { offers } from "../../sdk";
import { type OperationName, operations, type SendingOperation } from "../../sdk/operations";
import { type Profile, profiles } from "../../sdk/profiles";
import { call, start } from "../emulator/harness";
import { clientOperations } from "../faults/clientOperations";

interface Fields {
  readonly [name: string]: { readonly profile: Profile; readonly fields?: Fields; readonly maxLength?: number };
}

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
  const names = Object.keys(operations).filter((name) => "body" in operations[name as OperationName]);
  for (const name of (names as SendingOperation[]).filter((operation) => offers(profile, operations[operation]))) {
    const needsFormat = name === "queries.apl" && profile === "extended";
    const line = `${clientOperations[name].line.replace("*", "t1")}${needsFormat ? "?format=legacy" : ""}`;
    for (const [path, needed] of listPaths(operations[name].body)) {
      const { body } = await call(emulator.url, line, { body: bodyWith(path) });
      const isKnown = !String(body?.message).includes("there is no such field");
      expect({ name, path, isKnown }).toEqual({ name, path, isKnown: offers(profile, { profile: needed }) });
    }
  }
});

const ofAnnotations = Object.entries<Fields[string]>(operations["annotations.create"].body);

test.each(
  ofAnnotations.flatMap(([name, { maxLength }]) => (maxLength === undefined ? [] : [[name, maxLength] as const])),
)("the emulator takes as many characters of an annotation's %s as the client says: %d", async (name, maxLength) => {
  await using emulator = await start({ profile: "extended" });
  const create = async (length: number) => {
    const body = { datasets: ["web"], type: "deploy", [name]: "a".repeat(length) };
    return (await call(emulator.url, clientOperations["annotations.create"].line, { body })).status;
  };
  expect([await create(maxLength), await create(maxLength + 1)]).toEqual([201, 400]);
});
