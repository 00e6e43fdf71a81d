import { inspect } from "node:util";
import { beforeAll, describe, expect, test } from "@jest/globals";
import type { Emulator } from "../../emulator";
import { EventDatasets, isApiError } from "../../sdk";
import { startTemporaryEmulator } from "../support/deployment";
import { aplAnswer, datasetAnswer } from "../support/queryAnswers";
import { findSecrets, type SecretHit } from "../support/secrets";
import { runInBatches } from "./batches";
import { type Cell, clientCells, type Ending } from "./clientMatrix";
import { clientOperations, type Ids } from "./clientOperations";
import { deadlines } from "./deadlines";
import { FaultProxy, forwardTo, type Upstream } from "./proxy";

/** The local service, and what is there before the calls. */
interface Side extends AsyncDisposable {
  readonly service: Emulator;
  readonly shared: Ids;
  makeObjects(): Promise<Ids>;
}

async function startSide(): Promise<Side> {
  const service = await startTemporaryEmulator({ profile: "extended" });
  const direct = new EventDatasets({ baseUrl: service.url, accessToken: service.rootToken, profile: "extended" });
  const makeObjects = async () => {
    const token = await direct.tokens.create({ name: "there before" });
    const annotation = await direct.annotations.create({ datasets: ["web"], type: "deploy" });
    return { token: token.id, annotation: annotation.id };
  };
  return {
    service,
    shared: await makeObjects(),
    makeObjects,
    async [Symbol.asyncDispose]() {
      await direct.close();
      await service[Symbol.asyncDispose]();
    },
  };
}

/** The local service; queries are answered without its query engine. */
function upstreamOf(service: Emulator): Upstream {
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

async function run({ row, once, operation, expected }: Cell, { service, shared, makeObjects }: Side) {
  const { meets, run: call } = clientOperations[operation];
  const lines: string[] = [];
  const injected = { behaviour: row.behaviour, meets, times: once ? 1 : Number.POSITIVE_INFINITY };
  await using proxy = await FaultProxy.start(upstreamOf(service), injected);
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
  const seen: Seen & { expected: Ending } = {
    leaks: await findSecrets({ texts: { shown } }, secrets),
    how,
    requests: lines.length - before.lines,
    arrived: proxy.calls.length - before.calls,
    carriedOut: proxy.carriedOut.length - before.carriedOut,
    expected,
  };
  return seen;
}

function outcomeOf(failure: unknown): Ending["how"] {
  if (!isApiError(failure)) throw failure;
  return failure.outcome;
}

const nameOf = ({ row, once, operation }: Cell) => `${operation}: ${row.name}${once ? ", once" : ""}`;

describe("a call of the client ends as the matrix says", () => {
  const results = new Map<string, Awaited<ReturnType<typeof run>>>();
  beforeAll(async () => {
    await runInBatches(clientCells, startSide, async (cell, side) => {
      results.set(nameOf(cell), await run(cell, side));
    });
  }, 300_000);

  test.each(clientCells.map((cell) => [nameOf(cell), cell] as const))("%s", (name, { expected, row }) => {
    const seen = results.get(name);
    expect(seen).toMatchObject({ ...expected, arrived: expected.requests, leaks: [] });
    if (!row.carriedOut) expect(seen?.carriedOut).toBe(expected.how === "answered" ? 1 : 0);
  });
});
