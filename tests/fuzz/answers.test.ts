import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { type EventDatasets, isApiError } from "../../sdk";
import { accessToken, connect } from "../support/client";
import { answerBytes, bodyCanary, headerSecret, strayedSecret } from "./answers/arbitrary";
import { fuzzedOperations } from "./answers/operations";
import { runsOf } from "./random";
import { type RawService, startRawService } from "./rawService";

const runs = runsOf(60);

let service: RawService;
beforeAll(async () => {
  service = await startRawService();
});
afterAll(async () => service[Symbol.asyncDispose]());

/** More requests than any call makes, whatever it is answered: the retries, and what the rate limit sends again. */
const mostRequests = 20;

/** Prototypes that a value may have: none that an answer has made. */
const known = new Set<unknown>([Object.prototype, Array.prototype, null]);

function expectPlain(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  expect(known.has(Object.getPrototypeOf(value))).toBe(true);
  for (const member of Object.values(value)) expectPlain(member);
}

/** Calls once and says what came of it: a value or one of our errors, and whatever was printed. */
async function outcomeOf(run: (client: EventDatasets) => Promise<unknown>) {
  const printed: string[] = [];
  const statuses: (number | undefined)[] = [];
  await using client = connect(service.url, {
    profile: "extended",
    debug: (line) => printed.push(line),
    inform: (line) => printed.push(line),
    watch:
      () =>
      ({ status }) =>
        statuses.push(status),
    random: () => 0.5,
  });
  service.targets.length = 0;
  try {
    return { value: await run(client), printed, statuses };
  } catch (error) {
    return { error, printed, statuses };
  }
}

describe.each(Object.entries(fuzzedOperations))("%s", (_, { answer, isValue, run, once }) => {
  test("gives a value or says in an error of ours what is wrong, whatever bytes are answered, and quotes none of them", async () => {
    await fc.assert(
      fc.asyncProperty(answerBytes(answer, accessToken), async (bytes) => {
        service.answer = bytes;
        const { value, error, printed, statuses } = await outcomeOf(run);
        if (error === undefined) {
          expect(isValue(value as never)).toBe(true);
          expectPlain(value);
        } else {
          expect(isApiError(error)).toBe(true);
          const { message, stack, cause } = error as Error;
          printed.push(message, stack ?? "", inspect(cause), inspect(error, { depth: null, showHidden: true }));
        }
        expect(Object.keys(Object.prototype)).toEqual([]);
        const text = printed.join("\n");
        for (const secret of [bodyCanary, accessToken, strayedSecret, headerSecret]) expect(text).not.toContain(secret);
        expect(service.targets.length).toBeLessThanOrEqual(mostRequests);
        // A request that the rate limit refused had no effect.
        const effects = service.targets.length - statuses.filter((status) => status === 429).length;
        if (once) expect(effects).toBeLessThanOrEqual(1);
      }),
      { numRuns: runs },
    );
  });
});
