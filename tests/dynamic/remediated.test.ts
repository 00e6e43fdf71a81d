import { expect, test } from "@jest/globals";
import { Hooks } from "../../framework/hooks";
import type { Bag } from "../../framework/lifecycle";
import { hostedApiToken } from "../../provider/apiToken/lifecycle";
import { startHost, tellNobody } from "../support/session";

// A policy pack that remediates: the engine changes the inputs after `check`, and compares what it made of them.

const day = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();
const rotation = { expiresIn: "90d", rotation: { rotateBefore: "14d" } };

const recordOf = (inputs: Bag): Bag => ({
  ...inputs,
  expiresAt: inDays(3),
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
    const hooks = new Hooks(hostedApiToken, startHost());
    const { inputs } = await hooks.check(undefined, { ...declared, ...rotation }, tellNobody);
    const remediated = { ...inputs, ...changed };
    const difference = await hooks.diff("t1", recordOf(remediated), remediated, tellNobody);
    expect(difference).toMatchObject({ changes: true, replaces: ["rotation"] });
  }
});
