import { describe, expect, test } from "@jest/globals";
import { capabilitiesOf, subtract } from "../../audit/liveToken";
import { auditsAbout, expiresAt, rulesOf } from "../support/audits";

const words = (capabilities: unknown) => subtract(capabilitiesOf(capabilities), new Map());

test.each<[unknown, string[]]>([
  [{ users: ["read", "create"], flows: [] }, ["users:create", "users:read"]],
  [{ web: { query: ["read"] } }, ["web.query:read"]],
  [{ "a.b": { "c:d": ["e f"] } }, ['"a.b"."c:d":"e f"']],
  [{ web: { all: true, none: null, empty: "" } }, ["web.all=true"]],
  [{ web: [{ name: "x", may: ["read"] }] }, ['web[{"name":"x","may":["read"]}]']],
])("%j holds %j", (capabilities, expected) => {
  expect(words(capabilities)).toEqual(expected);
});

describe("rights that look alike when their parts are joined", () => {
  const expiring = { id: "t1", name: "ci", expiresAt };
  const roles = (x: string, y: string) => ({
    a: [
      { on: ["x"], may: [x] },
      { on: ["y"], may: [y] },
    ],
  });
  test.each<[Record<string, never> | object, object]>([
    [{ "a.b": { c: ["read"] } }, { a: { "b.c": ["read"] } }],
    [{ a: { q: ["read"] } }, { a: { q: [["read"]] } }],
    [{ a: { q: ["1"] } }, { a: { q: [1] } }],
    [{ a: { q: '["x"]' } }, { a: { q: ['"x"]'] } }],
    [{ a: { q: ["x:y"] } }, { a: { "q:x": ["y"] } }],
    [roles("read", "write"), roles("write", "read")],
  ])("are told apart: %j and %j", (declared, live) => {
    const one = auditsAbout("escalated", "changed")([{ ...expiring, datasetCapabilities: live as never }], {
      tokens: [{ id: "t1", name: "ci", inputs: { expiresAt, datasetCapabilities: declared } }],
    });
    expect(rulesOf(one.findings)).toEqual(["escalated t1"]);
  });
});
