import { expect, test } from "@jest/globals";
import { randomOf } from "../fuzz/random";
import type { Form } from "../support/program";
import { type Aftermath, playInstants } from "./aftermath";
import { type Instant, namedInstants, nameOf, profiles, randomInstants } from "./instant";

/** Those of `npm run kills`; none in `npm test`. */
const random = Number(process.env.EVENT_DATASETS_KILL_INSTANTS ?? 0);
const form: Form = process.env.EVENT_DATASETS_KILL_FORM === "native" ? "native" : "dynamic";
const isWhole = process.env.EVENT_DATASETS_KILL_INSTANTS !== undefined;

/** The boundaries that `npm test` goes through: those at which most can be lost. */
const boundaries = [
  { request: "POST /v2/tokens", moment: "answered" },
  { request: "DELETE /v2/tokens/*", moment: "arrived" },
  { request: "DELETE /v2/datasets/*", moment: "carried out" },
] as const;
const few = boundaries.map((at): Instant => ({ command: "rotation", victim: "engine", profile: "extended", form, at }));

const seeded = randomOf(Number(process.env.EVENT_DATASETS_FUZZ_SEED ?? 1));

/** So that each is played in what others left, and a part of a run stands for the whole. */
const shuffle = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, at: seeded.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);

/** Only those whose name holds this, such as one that had a problem. */
const only = process.env.EVENT_DATASETS_KILL_ONLY ?? "";

function instants(): readonly Instant[] {
  if (!isWhole) return few;
  return shuffle([...namedInstants(form), ...randomInstants(seeded, random, form)]).filter((one) =>
    nameOf(one).includes(only),
  );
}

async function playAll(some: readonly Instant[]) {
  const played: (readonly [Instant, Aftermath])[] = [];
  for await (const one of playInstants(some)) {
    played.push(one);
    if (isWhole) process.stderr.write(`${nameOf(one[0])}: ${JSON.stringify({ ...one[1], report: undefined })}\n`);
  }
  return played;
}

test("whoever is killed, and whenever: what is declared is reached, its secrets work, no events are lost, and what is left was named", async () => {
  const all = instants();
  expect(all).not.toEqual([]);
  const lanes = profiles.map((profile) => playAll(all.filter((instant) => instant.profile === profile)));
  const played = (await Promise.all(lanes)).flat();
  const problems = played.flatMap(([instant, { problems }]) => problems.map((one) => `${nameOf(instant)}: ${one}`));
  expect(problems).toEqual([]);
  expect(played).toHaveLength(all.length);
  const inTime = played.filter(([, { blow }]) => blow === "in time");
  expect(inTime.length).toBeGreaterThan(all.length / 2);
});
