import { inspect } from "node:util";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { type EventDatasets, isApiError } from "../../sdk";
import { type ClientOperationName, clientOperations, sameId } from "../faults/clientOperations";
import { accessToken, connect } from "../support/client";
import { aplAnswer, datasetAnswer, tabularAnswer } from "../support/queryAnswers";
import { openForTests } from "../support/suite";
import { answerBytes, bodyCanary, headerSecret, strayedSecret } from "./answerBytes";
import { runsOf } from "./random";
import { startRawService } from "./rawService";

const range = { startTime: "2026-11-20T00:00:00Z", endTime: "2026-11-21T00:00:00Z" };

const token = { id: "t1", name: "ci", expiresAt: range.endTime, orgCapabilities: { users: ["read"] } };
const annotation = { id: "a1", datasets: ["web"], title: "1.4", type: "deploy", time: range.startTime };
/** A valid response, and a predicate that holds for every value that the call returns. */
interface Fitting {
  readonly answer: object;
  readonly isValue: (value: never) => boolean;
}

const hasId = (value: { id: unknown }) => typeof value.id === "string" && value.id !== "";
const isListing = (value: { id: unknown }[] & { odd: unknown }) => value.every(hasId) && Array.isArray(value.odd);
const isNothing = (value: unknown) => value === undefined;
const isResult = ({ buckets, matches, status }: Record<string, Record<string, unknown>>) =>
  [buckets?.series, buckets?.totals, matches, status?.messages].every(Array.isArray);

const minted = {
  answer: { ...token, token: "xaat-0a1b2c3d-minted" },
  isValue: (value: { id: unknown; token: unknown }) =>
    hasId(value) && typeof value.token === "string" && value.token !== "",
};

const fitting: Readonly<Partial<Record<ClientOperationName, Fitting>>> = {
  "tokens.create": minted,
  "tokens.regenerate": minted,
  "queries.apl": { answer: aplAnswer, isValue: isResult },
  "queries.dataset": { answer: datasetAnswer, isValue: isResult },
};

/** The response of an operation on objects, which are tokens if nothing else is said. */
function fittingOf(name: ClientOperationName): Fitting {
  const [kind, verb] = name.split(".");
  const object = kind === "annotations" ? annotation : token;
  if (verb === "delete") return { answer: {}, isValue: isNothing };
  return verb === "list" ? { answer: [object], isValue: isListing } : { answer: object, isValue: hasId };
}

interface FuzzedOperation extends Fitting {
  readonly run: (client: EventDatasets) => Promise<unknown>;
  /** Whether a second request could make a second object. */
  readonly once: boolean;
}

/** Every operation of the client, and a query whose answer is a table. */
const fuzzedOperations: Readonly<Record<string, FuzzedOperation>> = {
  ...Object.fromEntries(
    Object.entries(clientOperations).map(([name, { kind, run }]) => [
      name,
      {
        ...(fitting[name as ClientOperationName] ?? fittingOf(name as ClientOperationName)),
        run: (client: EventDatasets) => run(client, sameId("t1")),
        once: kind === "create",
      },
    ]),
  ),
  "queries.apl as a table": {
    answer: tabularAnswer,
    isValue: ({ tables }: { tables: unknown }) => Array.isArray(tables),
    run: (client) => client.queries.apl({ apl: "web", ...range }, { format: "tabular" }),
    once: false,
  },
};

const runs = runsOf(20);

const service = openForTests(startRawService);

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
