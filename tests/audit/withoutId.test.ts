import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { auditTokens, readState } from "../../audit";
import { baseUrl, encrypted, generatedFrom, stackOf } from "../support/states";

/** A state that the engine 3.276.0 wrote after an `onError` hook had asked for all retries of a create. */
const fixture = async (name: string) => {
  const file = path.join(__dirname, "../fixtures/withoutId", `${name}.json`);
  return readState(JSON.parse(await readFile(file, "utf8")), name);
};

/** The token that the create left behind, by state; beside the other tokens of the state. */
const left = { created: "lost-f860182", replaced: "lost-588dd92", deletedFirst: "lost-5fde8fb" } as const;

const urn = "urn:pulumi:dev::e2e::pulumi-nodejs:event-datasets:ApiToken::lost";

const repaired = "no update of the stack can run: pulumi-event-datasets recover prints the commands that repair it";

async function audit(name: keyof typeof left, isLive: boolean) {
  const state = await fixture(name);
  const others = state.tokens.map(({ id, inputs }) => ({ ...inputs, id, name: String(inputs.name) }));
  const orphan = { id: "t9", name: left[name], expiresAt: "2099-01-01T00:00:00Z" };
  const live = [...others, ...(isLive ? [orphan] : [])];
  const policy = { version: 1, rules: { "long-lived": "off" } } as const;
  return auditTokens({ baseUrl, live, stacks: [state], policy });
}

test.each([
  ["created", 1, false],
  ["replaced", 3, true],
  ["deletedFirst", 2, true],
] as const)("a resource without an id is a create that failed, not a token: %s", async (name, tokens, isNeeded) => {
  const state = await fixture(name);
  expect(state.tokens).toHaveLength(tokens);
  expect(state.pending).toMatchObject([{ inputs: { name: left[name] }, isNameOwn: true, recorded: { isNeeded } }]);
  expect(state.withoutId).toEqual([{ declaration: state.pending[0]?.declaration, isNeeded }]);
});

test("its token is an orphan, and the finding says how to repair the stack", async () => {
  const { findings, failed } = await audit("created", true);
  expect(failed).toBe(true);
  expect(findings).toMatchObject([{ rule: "orphaned", token: { id: "t9" }, declared: { urn } }]);
  expect(findings[0]?.message).toContain(repaired);
});

test.each(["replaced", "deletedFirst"] as const)(
  "no command is named that the engine refuses, because other resources need the URN: %s",
  async (name) => {
    const { findings } = await audit(name, true);
    const found = findings.find(({ rule }) => rule === "orphaned");
    expect(found?.message).toContain("pulumi-event-datasets recover");
    expect(found?.message).not.toContain("pulumi state delete");
  },
);

test("without its token the create is pending, and the finding says how to repair the stack", async () => {
  const { findings } = await audit("created", false);
  expect(findings).toMatchObject([{ rule: "pending", token: { name: left.created }, declared: { urn } }]);
  expect(findings[0]?.message).toContain(repaired);
});

test("if the name is encrypted, the finding says how to repair the stack too", async () => {
  const inputs = { name: encrypted, key: "lost" };
  const state = stackOf({ tokens: [{ name: "lost", inputs }] });
  const { findings } = auditTokens({ baseUrl, live: [], stacks: [state] });
  expect(findings).toMatchObject([{ rule: "pending", message: expect.stringContaining(repaired) }]);
});

test.each([
  ["a quote, which ends a quoted word", "it's"],
  ["a line end", "a\nb"],
])("a URN with %s is not made a part of a command", (_, name) => {
  const state = stackOf({ tokens: [{ name, inputs: generatedFrom(name) }] });
  const { findings } = auditTokens({ baseUrl, live: [], stacks: [state] });
  expect(findings[0]?.message).toContain("pulumi-event-datasets recover");
  expect(findings[0]?.message).not.toContain("pulumi state delete");
});

test("a resource of another provider without an id is known, and is nobody's token", async () => {
  const file = path.join(__dirname, "../fixtures/withoutId/created.json");
  const type = "aws:s3/bucket:Bucket";
  const text = (await readFile(file, "utf8")).replaceAll(/"pulumi-nodejs:event-datasets:ApiToken"/g, `"${type}"`);
  const state = readState(JSON.parse(text), "created");
  expect(state).toMatchObject({ tokens: [], pending: [], withoutId: [{ declaration: { urn } }] });
});
