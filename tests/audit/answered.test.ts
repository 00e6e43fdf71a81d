import { expect, test } from "@jest/globals";
import type { Token } from "../../sdk";
import { auditsAbout, expiresAt, rulesOf } from "../support/audits";
import type { RecordedToken } from "../support/states";

const audit = auditsAbout("escalated", "changed", "hidden-capabilities", "hidden-expiry");

/** The findings about a token, from its record and its live fields. */
const judge = (recorded: Pick<RecordedToken, "inputs" | "outputs" | "record">, live: Partial<Token>) =>
  rulesOf(audit([{ id: "t1", name: "ci", ...live }], { tokens: [{ id: "t1", name: "ci", ...recorded }] }).findings);

const rights = (...users: string[]) => ({ orgCapabilities: { users } });
const isGiven = true;
const isGained = false;

test.each<[string, declared: object, given: object, isExpected: boolean, live?: object]>([
  ["a right where none is declared", {}, rights("create"), isGained],
  ["a right beside those declared", rights("read"), rights("read", "create"), isGained],
  ["a right on a dataset", {}, { datasetCapabilities: { web: { query: ["read"] } } }, isGained],
  ["a later end", {}, { expiresAt: "2027-06-01T00:00:01Z" }, isGained],
  ["no end at all", {}, { expiresAt: "" }, isGained],
  ["another description", { description: " x " }, { description: "x" }, isGiven],
  ["fewer rights", rights("read", "create"), rights("read"), isGiven],
  ["an earlier end", {}, { expiresAt: "2027-05-31T00:00:00Z" }, isGiven],
  ["an end where none is declared", { expiresAt: undefined }, { expiresAt }, isGiven],
  ["fewer rights, which grew later", rights("read", "create"), rights("read"), isGained, rights("read", "create")],
  ["an earlier end, which moved later", {}, { expiresAt: "2027-05-31T00:00:00Z" }, isGained, { expiresAt }],
  [
    "an end where none is declared, which moved later",
    { expiresAt: undefined },
    { expiresAt },
    isGained,
    { expiresAt: "2027-06-02T00:00:00Z" },
  ],
])("of a token that the service created with %s, the audit expects what is no more than declared", (...row) => {
  const [, declared, given, isExpected, live = given] = row;
  const inputs: Record<string, unknown> = { expiresAt, ...declared };
  const outputs = Object.fromEntries(
    Object.entries(given).map(([key, value]) => [key, value === "" ? undefined : value]),
  );
  const record = { declared: Object.fromEntries(Object.keys(given).map((key) => [key, inputs[key] ?? ""])) };
  expect(judge({ inputs, outputs, record }, { expiresAt, ...live })).toEqual(isExpected ? [] : ["escalated t1"]);
});

const in30Days = "2026-12-21T12:00:00Z";
const in90Days = "2027-02-19T12:00:00Z";
const [earlier, later] = ["2027-05-01T00:00:00Z", "2027-07-01T00:00:00Z"];

/** The end may be no later than the requested one and the given one, whatever the program says by now. */
test.each<[program: object, requested: string, given: string, live: string, isExpected: boolean]>([
  [{ expiresIn: "30d" }, in30Days, in30Days, in30Days, true],
  [{ expiresIn: "30d" }, in30Days, "2026-12-21T12:01:00Z", "2026-12-21T12:01:00Z", true],
  [{ expiresIn: "30d" }, in30Days, "2026-12-20T00:00:00Z", "2026-12-20T00:00:00Z", true],
  [{ expiresIn: "30d" }, in30Days, "2026-12-20T00:00:00Z", in30Days, false],
  [{ expiresIn: "30d" }, in30Days, "2027-12-21T12:00:00Z", "2027-12-21T12:00:00Z", false],
  [{ expiresIn: "30d" }, in90Days, in90Days, in90Days, true],
  [{ expiresIn: "30d" }, in90Days, in90Days, "2027-03-01T00:00:00Z", false],
  [{ expiresIn: "30d" }, in90Days, in30Days, in90Days, false],
  [{ expiresIn: "30d" }, in30Days, in90Days, in90Days, false],
  [{ expiresIn: "30d" }, in30Days, in90Days, in30Days, true],
  [{ expiresAt }, expiresAt, earlier, earlier, true],
  [{ expiresAt }, expiresAt, earlier, expiresAt, false],
  [{ expiresAt }, expiresAt, later, later, false],
  [{}, "", earlier, earlier, true],
  [{}, "", earlier, later, false],
])("where the program says %j, the request said %j and the response %s, an end at %s is expected: %s", (...row) => {
  const [program, requested, given, live, isExpected] = row;
  const record = requested === given ? {} : { declared: { expiresAt: requested } };
  const recorded = { inputs: { ...program }, outputs: { expiresAt: given }, record };
  expect(judge(recorded, { expiresAt: live })).toEqual(isExpected ? [] : ["escalated t1"]);
});
