import { expect, test } from "@jest/globals";
import * as v from "valibot";
import { annotationFields, tokenFields, type WireFields } from "../../sdk";
import { aplRequestFields, datasetRequestFields } from "../../sdk/queries/request";

/** The names of a table's fields that a profile adds. */
const namesOf = (table: Readonly<Record<string, { readonly profile: string }>>, profile: string): string[] =>
  Object.keys(table).filter((name) => table[name]?.profile === profile);

test.each([
  ["4.1", tokenFields, ["name", "description", "expiresAt", "datasetCapabilities", "orgCapabilities"]],
  ["4.6", annotationFields, ["datasets", "title", "description", "type", "time", "endTime", "url"]],
  ["2.3", aplRequestFields, ["apl", "startTime", "endTime"]],
  [
    "2.3",
    datasetRequestFields,
    [
      ...["aggregations", "continuationToken", "cursor", "startTime", "endTime", "filter", "groupBy", "includeCursor"],
      ...["limit", "order", "project", "queryOptions", "resolution"],
    ],
  ],
])("the documented fields are those of %s", (_, table, names) => {
  expect(namesOf(table, "documented")).toEqual(names);
});

test("the compiler refuses a table with a missing field, an extra field or a wrong type", () => {
  interface Spec {
    readonly name: string;
    readonly icon?: string | undefined;
  }
  const text = { response: v.string(), profile: "documented" } as const;
  const number = { response: v.number(), profile: "documented" } as const;
  const tables: WireFields<Spec>[] = [
    { name: text, icon: text },
    // @ts-expect-error icon is missing
    { name: text },
    // @ts-expect-error colour is not a field
    { name: text, icon: text, colour: text },
    // @ts-expect-error icon is not a number
    { name: text, icon: number },
  ];
  expect(tables.map((table) => Object.keys(table).length)).toEqual([2, 1, 3, 2]);
});
