import { expect, test } from "@jest/globals";
import type { Token } from "../../sdk";
import { auditsAbout, expiresAt, rulesOf } from "../support/audits";

const audit = auditsAbout("escalated", "changed", "unknown", "uncompared");

/** A token that the service made otherwise than it was declared, and what it is now. */
const verdict = (declared: object, given: object, live: Partial<Token>) => {
  const inputs: Record<string, unknown> = { expiresAt, ...declared };
  const outputs = mapValues(given, (value) => (value === "" ? undefined : value));
  const record = { declared: mapValues(given, (_, field) => inputs[field] ?? "") };
  const tokens = [{ id: "t1", name: "ci", inputs, outputs, record }];
  return rulesOf(audit([{ id: "t1", name: "ci", expiresAt, ...live }], { tokens }).findings);
};

const mapValues = (bag: object, map: (value: unknown, key: string) => unknown) =>
  Object.fromEntries(Object.entries(bag).map(([key, value]) => [key, map(value, key)]));

test.each<[string, object, object]>([
  ["a right where none is declared", {}, { orgCapabilities: { users: ["create"] } }],
  [
    "a right beside those declared",
    { orgCapabilities: { users: ["read"] } },
    { orgCapabilities: { users: ["read", "create"] } },
  ],
  ["a right on a dataset", {}, { datasetCapabilities: { web: { query: ["read"] } } }],
  ["a later end", {}, { expiresAt: "2027-06-01T00:00:01Z" }],
  ["no end at all", {}, { expiresAt: "" }],
])("%s that the service granted at the creation is escalated: nobody declared it", (_, declared, given) => {
  expect(verdict(declared, given, given)).toEqual(["escalated t1"]);
});

test.each<[string, object, object]>([
  ["another description", { description: " x " }, { description: "x" }],
  ["fewer rights", { orgCapabilities: { users: ["read", "create"] } }, { orgCapabilities: { users: ["read"] } }],
  ["an earlier end", {}, { expiresAt: "2027-05-31T00:00:00Z" }],
  ["an end where none is declared", { expiresAt: undefined }, { expiresAt }],
])("%s that the service made of it at the creation is as expected", (_, declared, given) => {
  expect(verdict(declared, given, given)).toEqual([]);
});

test("what the service gave less of at the creation, and has more of now, is escalated up to what is declared too", () => {
  const rights = (...users: string[]) => ({ orgCapabilities: { users } });
  expect(verdict(rights("read", "create"), rights("read"), rights("read", "create"))).toEqual(["escalated t1"]);
  expect(verdict({}, { expiresAt: "2027-05-31T00:00:00Z" }, {})).toEqual(["escalated t1"]);
  expect(verdict({ expiresAt: undefined }, { expiresAt }, { expiresAt: "2027-06-02T00:00:00Z" })).toEqual([
    "escalated t1",
  ]);
});

test("an expiry that is counted from the creation is measured by what was requested, not by what a refresh found", () => {
  const outputs = { expiresAt: "2027-07-01T00:00:00Z" };
  const record = { declared: { expiresAt } };
  const recorded = { tokens: [{ id: "t1", name: "ci", inputs: { expiresIn: "30d" }, outputs, record }] };
  const live = { id: "t1", name: "ci" };
  expect(rulesOf(audit([{ ...live, expiresAt: "2027-07-01T00:00:00Z" }], recorded).findings)).toEqual(["escalated t1"]);
  expect(audit([{ ...live, expiresAt }], recorded).findings).toEqual([]);
});

test("expiresIn allows an end so long after the creation, whatever the service gave", () => {
  const declared = { expiresIn: "30d" };
  const judge = (given: string, live = given) =>
    rulesOf(
      audit([{ id: "t1", name: "ci", expiresAt: live }], {
        tokens: [
          {
            id: "t1",
            name: "ci",
            inputs: declared,
            outputs: { expiresAt: given },
            record: { declared: { expiresAt: "2026-12-21T12:00:00Z" } },
          },
        ],
      }).findings,
    );
  expect(judge("2026-12-21T12:00:00Z")).toEqual([]);
  expect(judge("2026-12-21T12:01:00Z")).toEqual([]);
  expect(judge("2026-12-20T00:00:00Z")).toEqual([]);
  expect(judge("2026-12-20T00:00:00Z", "2026-12-21T12:00:00Z")).toEqual(["escalated t1"]);
  expect(judge("2027-12-21T12:00:00Z")).toEqual(["escalated t1"]);
});

test("an expiry is measured by the one that the token was requested with, whatever the program says now", () => {
  const ends = { in30Days: "2026-12-21T12:00:00Z", in90Days: "2027-02-19T12:00:00Z" };
  const judge = (requested: string, live: string, given: string) => {
    const outputs = { expiresIn: "90d", expiresAt: given };
    const record = requested === given ? {} : { declared: { expiresAt: requested } };
    const tokens = [{ id: "t1", name: "ci", inputs: { expiresIn: "30d" }, outputs, record }];
    return rulesOf(audit([{ id: "t1", name: "ci", expiresAt: live }], { tokens }).findings);
  };
  expect(judge(ends.in90Days, ends.in90Days, ends.in90Days)).toEqual([]);
  expect(judge(ends.in90Days, "2027-03-01T00:00:00Z", ends.in90Days)).toEqual(["escalated t1"]);
  expect(judge(ends.in90Days, ends.in90Days, ends.in30Days)).toEqual(["escalated t1"]);
  expect(judge(ends.in30Days, ends.in90Days, ends.in90Days)).toEqual(["escalated t1"]);
  expect(judge(ends.in30Days, ends.in30Days, ends.in90Days)).toEqual([]);
});

test("an expiry that the service gave in place of the declared one is measured by both", () => {
  const judged = (declared: string, given: string, live: string, inputs: Record<string, unknown>) => {
    const outputs = { expiresAt: given };
    const tokens = [{ id: "t1", name: "ci", inputs, outputs, record: { declared: { expiresAt: declared } } }];
    return rulesOf(audit([{ id: "t1", name: "ci", expiresAt: live }], { tokens }).findings);
  };
  const [earlier, later] = ["2027-05-01T00:00:00Z", "2027-07-01T00:00:00Z"];
  expect(judged(expiresAt, earlier, earlier, { expiresAt })).toEqual([]);
  expect(judged(expiresAt, earlier, expiresAt, { expiresAt })).toEqual(["escalated t1"]);
  expect(judged(expiresAt, later, later, { expiresAt })).toEqual(["escalated t1"]);
  expect(judged("", earlier, earlier, {})).toEqual([]);
  expect(judged("", earlier, later, {})).toEqual(["escalated t1"]);
});
