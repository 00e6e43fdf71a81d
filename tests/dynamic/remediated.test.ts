import { expect, test } from "@jest/globals";
import { Hooks } from "../../framework/hooks";
import type { Bag } from "../../framework/lifecycle";
import { notKnown } from "../../framework/unknown";
import { hostedAnnotation } from "../../provider/nouns/annotation/lifecycle";
import { hostedApiToken } from "../../provider/nouns/apiToken/lifecycle";
import { startHost, tellNobody } from "../support/host";

// A policy pack that remediates: the engine changes the inputs after `check`, and compares what it made of them.

const day = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();
const rotation = { expiresIn: "90d", rotation: { rotateBefore: "14d" } };

const declarations: readonly (readonly [string, Bag])[] = [
  ["a generated name", { key: "ci" }],
  ["a chosen name", { key: "ci", name: "chosen" }],
  ["a generated name in a component", { key: "web:index:Service::ci" }],
];

test("a value that is not known within a list where none belongs is a change, and no failure", async () => {
  const hooks = new Hooks(hostedAnnotation, startHost());
  const { inputs } = await hooks.check(undefined, { key: "release", type: "deploy" }, tellNobody);
  const nested = { ...inputs, datasets: [["web", notKnown]] };
  const { changes } = await hooks.diff("a1", () => ({ ...inputs, datasets: ["web"], record: {} }), nested, tellNobody);
  expect(changes).toBe(true);
});

test.each(declarations)("a remediated token with %s is rotated when it is due", async (_, declared) => {
  for (const changed of [{ description: "owner: team" }, { retire: "expire" }, { name: "team-ci" }]) {
    const hooks = new Hooks(hostedApiToken, startHost());
    const { inputs } = await hooks.check(undefined, { ...declared, ...rotation }, tellNobody);
    const remediated = { ...inputs, ...changed };
    const record = { ...remediated, expiresAt: inDays(3), token: "xaat-1", record: {} };
    const difference = await hooks.diff("t1", () => record, remediated, tellNobody);
    expect(difference).toMatchObject({ changes: true, replaces: ["rotation"] });
  }
});
