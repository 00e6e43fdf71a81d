import { describe, expect, test } from "@jest/globals";
import { auditsAbout, expiresAt, rulesOf } from "../support/audits";
import { baseUrl, evidenceOf, generatedFrom, type RecordedToken, stackOf } from "../support/states";

const audit = auditsAbout("missing", "elsewhere", "shared");
const foreign = "2c2c2c2c2c2c";

const recordOf = (id: string, outputs: Record<string, unknown> = {}) => ({
  id,
  name: id,
  inputs: { expiresAt },
  outputs,
});
const live = (...ids: string[]) => ids.map((id) => ({ id, name: id, expiresAt }));
const found = (tokens: readonly RecordedToken[], ...listed: string[]) =>
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

  test("is missing if its record has no evidence, but another token of its provider is listed", () => {
    expect(found([recordOf("here"), recordOf("gone", { evidence: undefined })], "here")).toEqual(["missing gone"]);
  });
});

/** The tokens and creates of a stack with two accounts, as in the guide: the audit uses the settings of staging. */
describe("a stack with a Provider for each account", () => {
  const providerOf = (name: string, uuid = "0") => ({
    provider: `urn:pulumi:prod::web::pulumi:providers:pulumi-nodejs::${name}::${uuid}`,
  });
  const staging = { ...recordOf("s1"), more: providerOf("staging") };
  const production = { ...recordOf("p1", { evidence: evidenceOf(foreign, ["x"]) }), more: providerOf("production") };
  const lost = (more: Record<string, unknown>) => ({ name: "lost-0a1b2c3", inputs: generatedFrom("lost"), more });

  test("has the tokens of the other account elsewhere, and names its Provider", () => {
    const { findings, failed } = audit(live("s1"), { tokens: [staging, production] });
    expect([rulesOf(findings), failed]).toEqual([["elsewhere p1"], false]);
    expect(findings[0]?.message).toContain("run this with the settings of Provider production");
    const inOther = audit(live("p1"), { tokens: [staging, production] }, { credential: foreign });
    expect([rulesOf(inOther.findings), inOther.failed]).toEqual([["elsewhere s1"], false]);
  });

  test("has an unfinished create of the other account elsewhere: nothing says that it left no token", () => {
    const about = auditsAbout("missing", "elsewhere", "pending");
    const { findings } = about(live("s1"), {
      tokens: [staging, production],
      pending: [lost(providerOf("production"))],
    });
    expect(rulesOf(findings).sort()).toEqual(["elsewhere lost-0a1b2c3", "elsewhere p1"]);
    const own = about(live("s1"), { tokens: [staging], pending: [lost(providerOf("staging"))] });
    expect(rulesOf(own.findings)).toEqual(["pending lost-0a1b2c3"]);
  });

  test("joins every version of a default provider, in both forms", () => {
    const gone = { ...recordOf("gone", { evidence: evidenceOf(foreign) }), more: providerOf("default_1_2_3", "1") };
    const other = "urn:pulumi:prod::web::pulumi:providers:event-datasets::default::2";
    expect(
      found([gone, { ...recordOf("s1", { evidence: evidenceOf("3d3d3d3d3d3d") }), more: { provider: other } }], "s1"),
    ).toEqual(["missing gone"]);
  });

  test("joins a renamed Provider by an equal credential", () => {
    const theirs = { evidence: evidenceOf(foreign) };
    const before = { ...recordOf("old", theirs), more: providerOf("before") };
    const after = { ...recordOf("new", theirs), more: providerOf("after") };
    expect(found([before, after], "new")).toEqual(["missing old"]);
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
