import { expect, test } from "@jest/globals";
import { hashCredential } from "../../provider/lifecycle/account";
import type { ApiTokenState } from "../../provider/lifecycle/token/apiToken";
import { apiToken } from "../../provider/lifecycle/token/apiToken";
import { Connection } from "../../provider/session/connection";
import { type Asked, Hooks } from "../../provider/session/hooks";

// A policy pack that remediates: the engine changes the inputs after `check`, and compares what it made of them.

const day = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();
const settings: Readonly<Record<string, string>> = {
  "event-datasets:provider": "own",
  "event-datasets:baseUrl": "http://127.0.0.1:1",
  "event-datasets:accessToken": "xaat-root",
};
const rotation = { expireAfter: "90d", rotateBefore: "14d" };

function start() {
  const told: string[] = [];
  const tell = { warn: async (line: string) => void told.push(line), inform: async () => {} };
  const connection = new Connection(tell);
  connection.configure({ get: (key) => settings[key] });
  return { hooks: new Hooks(apiToken, connection), tell, told };
}

const recorded = (inputs: object, more: object = {}): ApiTokenState =>
  ({
    ...inputs,
    expiresAt: inDays(3),
    createdAt: inDays(-87),
    token: "xaat-1",
    baseUrl: "http://127.0.0.1:1",
    credentialHash: hashCredential("xaat-root", undefined),
    ...more,
  }) as ApiTokenState;

/** What a remediation can do to a token that both it and the service had from the beginning. */
const remediations: readonly Readonly<Record<string, unknown>>[] = [
  { description: "owner: team" },
  { retire: "expire", description: "owner: team" },
  { name: "team-ci" },
];

const forms: readonly (readonly [string, Asked, Readonly<Record<string, unknown>>])[] = [
  ["a generated name", {}, { autoName: "ci" }],
  ["a chosen name", {}, { autoName: "ci", resourceKey: "key", name: "chosen" }],
  ["the engine's name of the resource", { urn: "urn:pulumi:dev::web::event-datasets:index:ApiToken::ci" }, {}],
];

test.each(forms)("a remediated token is rotated when it is due, told apart by %s", async (_, asked, told) => {
  for (const changed of remediations) {
    const { hooks, tell } = start();
    const news = { ...told, rotation };
    const { inputs } = await hooks.check(undefined, news, tell, asked);
    const remediated = { ...inputs, ...changed };
    const difference = await hooks.diff("t1", recorded(remediated), remediated, tell, asked);
    expect(difference).toMatchObject({ changes: true, replaces: ["rotation"] });
  }
});

test.each(forms)(
  "a remediated token of another account is not taken for unchanged, told apart by %s",
  async (_, asked, told) => {
    const { hooks, tell } = start();
    const { inputs } = await hooks.check(undefined, told, tell, asked);
    const remediated = { ...inputs, description: "owner: team" };
    const elsewhere = recorded(remediated, { expiresAt: undefined, baseUrl: "http://127.0.0.1:2" });
    const compared = hooks.diff("t1", elsewhere, remediated, tell, asked);
    await expect(compared).rejects.toThrow(/127\.0\.0\.1:2/);
  },
);

test.each(forms)(
  "a refresh finds no rotation due: no check came before its comparison (%s)",
  async (_, asked, told) => {
    const { hooks, tell } = start();
    const { inputs } = await hooks.check(undefined, { ...told, rotation }, tell, asked);
    const other = start();
    expect(await other.hooks.diff("t1", recorded(inputs), inputs, tell, asked)).toMatchObject({ changes: false });
    const another = { ...asked, ...(asked.urn ? { urn: `${asked.urn}2` } : {}) };
    const unrelated = { name: "other", autoName: "other", resourceKey: "other", rotation };
    await other.hooks.check(undefined, unrelated, tell, another);
    expect(await other.hooks.diff("t1", recorded(inputs), inputs, tell, asked)).toMatchObject({ changes: false });
  },
);
