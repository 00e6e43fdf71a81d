import { expect, test } from "@jest/globals";
import { Hooks } from "../../framework/hooks";
import { Host } from "../../framework/host";
import type { Bag } from "../../framework/lifecycle";
import { Update } from "../../framework/update";
import { connectAccounts } from "../../provider/account/connection";
import { hostedApiToken } from "../../provider/apiToken/lifecycle";

// A policy pack that remediates: the engine changes the inputs after `check`, and compares what it made of them.

const day = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();
const settings: Readonly<Record<string, string>> = {
  "event-datasets:provider": "own",
  "event-datasets:baseUrl": "http://127.0.0.1:1",
  "event-datasets:accessToken": "xaat-root",
};
const rotation = { expiresIn: "90d", rotation: { rotateBefore: "14d" } };

function start() {
  const told: string[] = [];
  const tell = { warn: async (line: string) => void told.push(line), inform: async () => {} };
  const host = new Host(connectAccounts(), tell, new Update());
  host.configure({ get: (key) => settings[key] });
  return { hooks: new Hooks(hostedApiToken, host), tell, told };
}

const recordOf = (inputs: Bag): Bag => ({
  ...inputs,
  expiresAt: inDays(3),
  createdAt: inDays(-87),
  token: "xaat-1",
  record: {},
});

/** Remediations of a token that was created with them. */
const remediations: readonly Readonly<Record<string, unknown>>[] = [
  { description: "owner: team" },
  { retire: "expire", description: "owner: team" },
  { name: "team-ci" },
];

const declarations: readonly (readonly [string, Bag])[] = [
  ["a generated name", { key: "ci" }],
  ["a chosen name", { key: "ci", name: "chosen" }],
  ["a generated name in a component", { key: "web:index:Service::ci" }],
];

test.each(declarations)("a remediated token with %s is rotated when it is due", async (_, declared) => {
  for (const changed of remediations) {
    const { hooks, tell } = start();
    const { inputs } = await hooks.check(undefined, { ...declared, ...rotation }, tell);
    const remediated = { ...inputs, ...changed };
    const difference = await hooks.diff("t1", recordOf(remediated), remediated, tell);
    expect(difference).toMatchObject({ changes: true, replaces: ["rotation"] });
  }
});

test.each(declarations)(
  "a refresh finds no rotation due: no check of the token came before its comparison (%s)",
  async (_, declared) => {
    const { hooks, tell } = start();
    const { inputs } = await hooks.check(undefined, { ...declared, ...rotation }, tell);
    const other = start();
    expect(await other.hooks.diff("t1", recordOf(inputs), inputs, tell)).toMatchObject({ changes: false });
    await other.hooks.check(undefined, { name: "other", key: "other", ...rotation }, tell);
    expect(await other.hooks.diff("t1", recordOf(inputs), inputs, tell)).toMatchObject({ changes: false });
  },
);
