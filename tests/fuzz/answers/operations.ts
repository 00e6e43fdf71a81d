import type { EventDatasets } from "../../../sdk";
import { type ClientOperationName, clientOperations, sameId } from "../../faults/clientOperations";
import { aplAnswer, datasetAnswer, tabularAnswer } from "../../support/queryAnswers";

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

const fitting = {
  "tokens.create": minted,
  "tokens.regenerate": minted,
  "tokens.get": { answer: token, isValue: hasId },
  "tokens.list": { answer: [token], isValue: isListing },
  "tokens.delete": { answer: {}, isValue: isNothing },
  "annotations.create": { answer: annotation, isValue: hasId },
  "annotations.get": { answer: annotation, isValue: hasId },
  "annotations.list": { answer: [annotation], isValue: isListing },
  "annotations.update": { answer: annotation, isValue: hasId },
  "annotations.delete": { answer: {}, isValue: isNothing },
  "queries.apl": {
    answer: aplAnswer,
    isValue: isResult,
  },
  "queries.dataset": { answer: datasetAnswer, isValue: isResult },
} as const satisfies Record<ClientOperationName, Fitting>;

interface FuzzedOperation extends Fitting {
  readonly run: (client: EventDatasets) => Promise<unknown>;
  /** Whether a second request could make a second object. */
  readonly once: boolean;
}

/** Every operation of the client, and a query whose answer is a table. */
export const fuzzedOperations: Readonly<Record<string, FuzzedOperation>> = {
  ...Object.fromEntries(
    Object.entries(clientOperations).map(([name, { kind, run }]) => [
      name,
      {
        ...fitting[name as ClientOperationName],
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

/** Every key of an answer that fits, at any level. */
export function keysIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...new Set([...own, ...Object.values(value).flatMap(keysIn)])];
}
