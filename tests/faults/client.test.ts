import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Emulator } from "../../emulator";
import { EventDatasets, isApiError } from "../../sdk";
import { startTemporaryEmulator } from "../support/deployment";
import { aplAnswer, datasetAnswer } from "../support/queryAnswers";
import { findSecrets, type SecretHit } from "../support/secrets";
import { type Cell, clientCells, type Ending } from "./clientMatrix";
import { clientOperations, type Ids } from "./clientOperations";
import { mapConcurrently } from "./concurrency";
import { deadlines } from "./deadlines";
import { FaultProxy, forwardTo, type Upstream } from "./proxy";

let service: Emulator;
let direct: EventDatasets;
let shared: Ids;
beforeAll(async () => {
  service = await startTemporaryEmulator({ profile: "extended" });
  direct = new EventDatasets({ baseUrl: service.url, accessToken: service.rootToken, profile: "extended" });
  shared = await makeObjects();
});
afterAll(async () => {
  await direct.close();
  await service[Symbol.asyncDispose]();
});

async function makeObjects(): Promise<Ids> {
  const token = await direct.tokens.create({ name: "there before" });
  const annotation = await direct.annotations.create({ datasets: ["web"], type: "deploy" });
  return { token: token.id, annotation: annotation.id };
}

/** The local service; queries are answered without its query engine. */
function upstream(): Upstream {
  const forward = forwardTo(service.url);
  return async (request) => {
    const queried = /^\/v1\/datasets\/(_apl|.*\/query)/.exec(request.target)?.[1];
    if (queried === undefined) return forward(request);
    const body = Buffer.from(JSON.stringify(queried === "_apl" ? aplAnswer : datasetAnswer));
    return { status: 200, headers: { "content-type": "application/json" }, body };
  };
}

interface Seen extends Ending {
  /** Requests that reached the other side. */
  readonly arrived: number;
  readonly carriedOut: number;
  /** Secrets in anything that can be shown of the error. */
  readonly leaks: readonly SecretHit[];
}

async function run({ row, once, operation, expected }: Cell): Promise<Seen & { expected: Ending }> {
  const { meets, run: call } = clientOperations[operation];
  const lines: string[] = [];
  const injected = { behaviour: row.behaviour, meets, times: once ? 1 : Number.POSITIVE_INFINITY };
  await using proxy = await FaultProxy.start(upstream(), injected);
  const deadline = row.effect === "silent" || row.effect === "late" ? deadlines[row.effect] : undefined;
  await using client = new EventDatasets({
    baseUrl: proxy.url,
    accessToken: service.rootToken,
    profile: "extended",
    sleep: async () => undefined,
    debug: (line) => lines.push(line),
    ...(deadline === undefined ? {} : { deadlines: { call: deadline, list: deadline, query: deadline } }),
  });
  const ids = clientOperations[operation].kind === "delete" ? await makeObjects() : shared;
  // The call must not be the first on its connection: what is kept alive is part of what can go wrong.
  await client.queries.dataset("warm-up", { startTime: "a", endTime: "b", resolution: "auto" });
  const before = { lines: lines.length, calls: proxy.calls.length, carriedOut: proxy.carriedOut.length };
  let shown = "";
  const how = await call(client, ids).then(
    () => "answered" as const,
    (failure) => {
      shown = `${inspect(failure, { depth: null, showHidden: true })}${JSON.stringify(failure)}${failure.stack}`;
      return outcomeOf(failure);
    },
  );
  const secrets = [service.rootToken, ...proxy.minted];
  return {
    leaks: await findSecrets({ texts: { shown } }, secrets),
    how,
    requests: lines.length - before.lines,
    arrived: proxy.calls.length - before.calls,
    carriedOut: proxy.carriedOut.length - before.carriedOut,
    expected,
  };
}

function outcomeOf(failure: unknown): Ending["how"] {
  if (!isApiError(failure)) throw failure;
  return failure.outcome;
}

const nameOf = ({ row, once, operation }: Cell) => `${operation}: ${row.name}${once ? ", once" : ""}`;

describe("a call of the client ends as the matrix says", () => {
  const results = new Map<string, Awaited<ReturnType<typeof run>>>();
  beforeAll(async () => {
    const work = async (cell: Cell) => results.set(nameOf(cell), await run(cell));
    const isSlow = ({ row }: Cell) => row.effect === "silent" || row.effect === "late";
    const [slow, fast] = [clientCells.filter(isSlow), clientCells.filter((cell) => !isSlow(cell))];
    await Promise.all([mapConcurrently(slow, slow.length, work), mapConcurrently(fast, 8, work)]);
  }, 300_000);

  test.each(clientCells.map((cell) => [nameOf(cell), cell] as const))("%s", (name, { expected, row }) => {
    const seen = results.get(name);
    expect(seen).toMatchObject({ ...expected, arrived: expected.requests, leaks: [] });
    if (!row.carriedOut) expect(seen?.carriedOut).toBe(expected.how === "answered" ? 1 : 0);
  });
});
