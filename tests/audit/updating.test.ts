import { expect, test } from "@jest/globals";
import { auditTokens, type Policy, type UpdateStatus } from "../../audit";
import { now } from "../support/audits";
import { baseUrl, credential, generatedFrom, stackOf } from "../support/states";

const name = "ci-0a1b2c3";
const expiresAt = "2027-06-01T00:00:00Z";
const ten = "2026-11-21T11:50:00.000Z";
const long = "2026-11-21T11:00:00.000Z";

/** The findings about the token of a create that did not finish, and about one that nobody declares. */
function findingsWith(update: UpdateStatus | undefined, policy: Policy = { version: 1 }) {
  const state = stackOf({ pending: [{ name, inputs: generatedFrom("ci") }] });
  const { findings } = auditTokens({
    baseUrl,
    credential,
    now,
    policy,
    live: [
      { id: "9", name, expiresAt },
      { id: "2", name: "by hand", expiresAt },
    ],
    stacks: [update === undefined ? state : { ...state, update }],
  });
  const updating = findings.filter(({ rule }) => rule === "updating");
  return {
    rules: findings.map(({ rule, token }) => `${rule} ${token.id}`),
    words: updating.map(({ message }) => message),
  };
}

const found = ["undeclared 2", "orphaned 9"];
const start = `API token "${name}" may soon be in use: the stack that creates it`;

test.each<[UpdateStatus | undefined, string]>([
  [{}, `${start} is being updated`],
  [{ since: ten }, `${start} is being updated since ${ten}`],
  [{ since: ten, isGone: true }, `${start} is locked since ${ten}; if no update is running, run pulumi cancel`],
  [{ since: long }, `${start} is locked since ${long}; if no update is running, run pulumi cancel`],
])("an update %j is a warning beside the finding about the token of its create", (update, message) => {
  expect(findingsWith(update)).toEqual({ rules: [...found, "updating 9"], words: [message] });
});

test.each<UpdateStatus | undefined>(["none", undefined])(
  "if no update is known to run (%j), nothing is added",
  (status) => {
    expect(findingsWith(status)).toEqual({ rules: found, words: [] });
  },
);

test("an exception that accepts the token does not accept the update", () => {
  const exception = { id: "9", owner: "ops", reason: "console", until: "2026-12-31", expiresAt };
  const { rules } = findingsWith({}, { version: 1, exceptions: [exception] });
  expect(rules).toEqual(["undeclared 2", "updating 9"]);
});
