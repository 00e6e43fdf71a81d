import { expect, jest, test } from "@jest/globals";
import { randomOf } from "../fuzz/random";
import { type Aftermath, commands, type Instant, runInstant, victims } from "./instant";

// Drives the engine of support/engine: a dozen commands an instant.
jest.setTimeout(24 * 3_600_000);

const instants = Number(process.env.EVENT_DATASETS_KILL_INSTANTS ?? 0);

/** Random instants are spread over the whole of a command. */
const longest = 6_000;

const nameOf = ({ command, victim, profile, after }: Instant) =>
  `${profile} ${command}, ${victim} after ${"requests" in after ? `${after.requests} requests` : `${after.milliseconds} ms`}`;

/** The named boundaries: those that `npm test` goes through. */
const boundaries: readonly Instant[] = [
  { command: "up", victim: "engine", profile: "documented", after: { requests: 2 } },
  { command: "rotation", victim: "provider", profile: "extended", after: { requests: 1 } },
];

function randomInstants(): Instant[] {
  const random = randomOf(Number(process.env.EVENT_DATASETS_FUZZ_SEED ?? 1));
  return Array.from({ length: instants }, () => ({
    command: random.pick(commands),
    victim: random.pick(victims),
    profile: random.pick(["documented", "extended"] as const),
    after: { milliseconds: Math.round(random.next() * longest) },
  }));
}

test("whoever is killed, and whenever: what is declared is reached, its secrets work, and what is left was named", async () => {
  const problems: string[] = [];
  const done: Aftermath[] = [];
  for (const instant of instants > 0 ? randomInstants() : boundaries) {
    const aftermath = await runInstant(instant).catch((failure: Error) => ({
      problems: [failure.message],
      orphans: 0,
      ups: 0,
      emptyAttributes: false,
    }));
    done.push(aftermath);
    problems.push(...aftermath.problems.map((problem) => `${nameOf(instant)}: ${problem}`));
    if (instants > 0) process.stderr.write(`${done.length} ${nameOf(instant)}: ${JSON.stringify(aftermath)}\n`);
  }
  expect(problems).toEqual([]);
});
