import { describe, expect, test } from "@jest/globals";
import { auditsAbout, expiresAt, rulesOf } from "../support/audits";
import { baseUrl, evidenceOf, stackOf } from "../support/states";

const audit = auditsAbout("missing", "elsewhere", "unproven", "shared");
const foreign = "2c2c2c2c2c2c";

const recordOf = (id: string, outputs: Record<string, unknown> = {}) => ({
  id,
  name: id,
  inputs: { expiresAt },
  outputs,
});
const live = (...ids: string[]) => ids.map((id) => ({ id, name: id, expiresAt }));
const found = (tokens: readonly ReturnType<typeof recordOf>[], ...listed: string[]) =>
  rulesOf(audit(live(...listed), { tokens }).findings);

describe("a declared token that is not listed", () => {
  test("is missing if its record has the present credential", () => {
    expect(found([recordOf("gone")])).toEqual(["missing gone"]);
  });

  test("is missing if a token beside it is listed, or another token of its state", () => {
    const theirs = { evidence: foreign };
    expect(found([recordOf("gone", { evidence: evidenceOf(foreign, ["a", "b"]) })], "b")).toEqual(["missing gone"]);
    expect(found([recordOf("gone", theirs), recordOf("live", theirs)], "live")).toEqual(["missing gone"]);
  });

  test("is elsewhere if neither a token beside it nor another one of its state is listed", () => {
    const there = stackOf({ stack: "there", tokens: [recordOf("there", { evidence: evidenceOf(foreign, ["x"]) })] });
    const here = stackOf({ stack: "here", tokens: [recordOf("here")] });
    const { findings, failed } = audit(live("here"), {}, { stacks: [here, there] });
    expect([rulesOf(findings), failed]).toEqual([["elsewhere there"], false]);
  });

  test("is unproven, which fails the audit, if its record holds no evidence", () => {
    const tokens = [recordOf("here"), recordOf("gone", { evidence: undefined })];
    const { findings, failed } = audit(live("here"), { tokens });
    expect([rulesOf(findings), failed]).toEqual([["unproven gone"], true]);
  });
});

test("if nothing proves the account of any declared token, nothing is audited: the settings are wrong", () => {
  const tokens = ["a", "b"].map((id) => recordOf(id, { evidence: evidenceOf(foreign, ["x"]) }));
  expect(() => audit(live("stranger"), { tokens })).toThrow(
    `${baseUrl} lists none of the 2 declared tokens, and nothing proves that they belong to this account`,
  );
});

test.each([
  ["dev", "prod"],
  ["prod", "dev"],
])("one token that two states declare is an error (%s, %s)", (...order) => {
  const stacks = order.map((stack) => stackOf({ stack, tokens: [recordOf("both")] }));
  const { findings, failed } = audit(live("both"), {}, { stacks });
  expect([rulesOf(findings), failed]).toEqual([["shared both"], true]);
});
