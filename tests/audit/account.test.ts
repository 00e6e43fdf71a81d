import { describe, expect, test } from "@jest/globals";
import { auditsAbout, expiresAt, rulesOf } from "../support/audits";
import { baseUrl, stackOf } from "../support/states";

const audit = auditsAbout("missing", "elsewhere", "unproven", "undeclared", "escalated");
const [present, former, foreign] = ["0a0a0a0a0a0a", "1b1b1b1b1b1b", "2c2c2c2c2c2c"];
const other = "https://other.example.com";

const recordOf = (id: string, record: object = {}) => ({
  id,
  name: id,
  inputs: { expiresAt },
  record: { ...record },
});
const live = (...ids: string[]) => ids.map((id) => ({ id, name: id, expiresAt }));
const told = (
  tokens: readonly ReturnType<typeof recordOf>[],
  listed: readonly string[],
  account: { readonly credentialHash?: string; readonly account?: string } = { credentialHash: present },
) => rulesOf(audit(live(...listed), { tokens }, account).findings);

describe("a declared token that is not listed", () => {
  const here = recordOf("here", { credentialHash: present });

  test("is missing if it was last seen with the present credential", () => {
    expect(told([here], [])).toEqual(["missing here"]);
  });

  test("is missing if a token that was seen with the same credential is listed: it is the same account", () => {
    const tokens = ["found", "gone"].map((id) => recordOf(id, { credentialHash: former }));
    expect(told(tokens, ["found"])).toEqual(["missing gone"]);
  });

  test("is unproven, which fails the audit, if nothing proves that this is its account", () => {
    const tokens = [here, recordOf("theirs", { credentialHash: foreign })];
    const { findings, failed } = audit(live("here"), { tokens }, { credentialHash: present });
    expect(findings).toMatchObject([
      { rule: "unproven", severity: "error", token: { id: "theirs" }, message: expect.stringContaining(foreign) },
    ]);
    expect(failed).toBe(true);
  });

  test("is judged by the label of the account where both have one", () => {
    const labelled = (account: string) => recordOf("t", { credentialHash: foreign, account });
    const audited = { credentialHash: present, account: "prod" };
    expect(told([here, labelled("prod")], ["here"], audited)).toEqual(["missing t"]);
    expect(told([here, labelled("dev")], ["here"], audited)).toEqual(["elsewhere t"]);
    expect(told([here, labelled("dev")], ["here"])).toEqual(["unproven t"]);
    const moved = recordOf("t", { credentialHash: foreign, account: "prod", baseUrl: other });
    expect(told([here, moved], ["here"], audited)).toEqual(["missing t"]);
  });

  test("is missing if its state records no credential", () => {
    expect(told([recordOf("t")], [])).toEqual(["missing t"]);
    expect(told([recordOf("t", { credentialHash: foreign })], [], {})).toEqual(["missing t"]);
  });

  test("is elsewhere if it was recorded on another service", () => {
    expect(told([here, recordOf("there", { baseUrl: other, credentialHash: foreign })], ["here"])).toEqual([
      "elsewhere there",
    ]);
    expect(
      told([here, recordOf("t", { baseUrl: "HTTPS://API.example.com:443/", credentialHash: present })], []),
    ).toEqual(["missing here", "missing t"]);
  });

  test("is missing if a token that was recorded on the same old address is listed: the service has moved", () => {
    const moved = ["found", "gone"].map((id) => recordOf(id, { baseUrl: other }));
    expect(told(moved, ["found"])).toEqual(["missing gone"]);
    const seen = ["found", "gone"].map((id) => recordOf(id, { baseUrl: other, credentialHash: former }));
    expect(told(seen, ["found"])).toEqual(["missing gone"]);
  });

  test.each([[["dev", "prod"]], [["prod", "dev"]]])(
    "is missing if one of the stacks (%j) that declare a listed token proves so",
    (order) => {
      const shared = (record: object) => recordOf("shared", record);
      const recorded = {
        dev: [shared({ credentialHash: present })],
        prod: [
          shared({ baseUrl: other, credentialHash: former }),
          recordOf("gone", { baseUrl: other, credentialHash: former }),
        ],
      };
      const stacks = order.map((stack) => stackOf({ stack, tokens: recorded[stack as keyof typeof recorded] }));
      const { findings } = audit(live("shared"), {}, { stacks, credentialHash: present });
      expect(rulesOf(findings)).toEqual(["missing gone"]);
    },
  );
});

test.each<[string, object]>([
  ["another service", { baseUrl: other }],
  ["another account", { credentialHash: foreign }],
  ["another account, by its label", { credentialHash: foreign, account: "dev" }],
])("if all declared tokens are of %s nothing is audited: the settings are wrong", (_, record) => {
  const tokens = [1, 2].map((n) => recordOf(`t${n}`, record));
  const account = { credentialHash: present, account: "prod" };
  expect(() => audit(live("stranger"), { tokens }, account)).toThrow(
    `${baseUrl} lists none of the 2 declared tokens, and nothing proves that they belong to this account: the first belongs to`,
  );
});
