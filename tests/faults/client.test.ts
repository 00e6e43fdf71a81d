import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Emulator } from "../../emulator";
import { EventDatasets, isApiError } from "../../sdk";
import { connect } from "../support/client";
import { startTemporaryEmulator } from "../support/deployment";
import { aplAnswer, datasetAnswer } from "../support/queryAnswers";
import { findSecrets, type SecretHit } from "../support/secrets";
import { stopTime, TestTime } from "../support/time";
import { type Cell, clientCells, type Ending } from "./clientMatrix";
import { clientOperationNames, clientOperations, type Ids } from "./clientOperations";
import { FaultProxy, upstreamOf } from "./proxy";
import { holdsRequests } from "./rows";

stopTime();

/** The local service with the objects for the calls. */
interface Side extends AsyncDisposable {
  readonly service: Emulator;
  readonly shared: Ids;
  makeObjects(): Promise<Ids>;
}

async function startSide(): Promise<Side> {
  const service = await startTemporaryEmulator({ profile: "extended" });
  const direct = connect(service.url, { accessToken: service.rootToken, profile: "extended" });
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

const answerOf = (target: string) => JSON.stringify(target.includes("_apl") ? aplAnswer : datasetAnswer);

interface Seen extends Ending {
  /** Requests that reached the other side. */
  readonly arrived: number;
  readonly carriedOut: number;
  /** Secrets in anything that can be shown of the error. */
  readonly leaks: readonly SecretHit[];
}

async function run({ row, once, operation }: Cell, { service, shared, makeObjects }: Side) {
  const { meets, run: call } = clientOperations[operation];
  const lines: string[] = [];
  const time = new TestTime();
  const behaviour = holdsRequests(row) ? time.hold(row.behaviour) : row.behaviour;
  const injected = { behaviour, meets, times: once ? 1 : Number.POSITIVE_INFINITY };
  await using proxy = await FaultProxy.start(upstreamOf(service.url, answerOf), injected);
  await using client = new EventDatasets({
    baseUrl: proxy.url,
    accessToken: service.rootToken,
    profile: "extended",
    sleep: async () => undefined,
    debug: (line) => lines.push(line),
    watch: time.watch,
  });
  const ids = clientOperations[operation].kind === "delete" ? await makeObjects() : shared;
  // The call must not be the first on its connection, because reused connections can fail, too.
  await client.queries.dataset("warm-up", { startTime: "a", endTime: "b", resolution: "auto" });
  const before = { lines: lines.length, calls: proxy.calls.length, carriedOut: proxy.carriedOut.length };
  let shown = "";
  const how = await time.passDuring(call(client, ids)).then(
    () => "returned" as const,
    (failure) => {
      shown = `${inspect(failure, { depth: null, showHidden: true })}${JSON.stringify(failure)}${failure.stack}`;
      if (!isApiError(failure)) throw failure;
      return failure.outcome;
    },
  );
  const secrets = [service.rootToken, ...proxy.minted];
  const seen: Seen = {
    leaks: await findSecrets({ texts: { shown } }, secrets),
    how,
    requests: lines.length - before.lines,
    arrived: proxy.calls.length - before.calls,
    carriedOut: proxy.carriedOut.length - before.carriedOut,
  };
  return seen;
}

describe.each(clientOperationNames)("%s ends as the matrix says", (operation) => {
  let side: Side;
  beforeAll(async () => {
    side = await startSide();
  });
  afterAll(async () => {
    await side[Symbol.asyncDispose]();
  });

  const cells = clientCells.filter((cell) => cell.operation === operation);
  test.each(cells.map((cell) => [`${cell.row.name}${cell.once ? ", once" : ""}`, cell] as const))(
    "%s",
    async (_, cell) => {
      const { expected, row } = cell;
      const seen = await run(cell, side);
      expect(seen).toMatchObject({ ...expected, arrived: expected.requests, leaks: [] });
      if (!row.carriedOut) expect(seen.carriedOut).toBe(expected.how === "returned" ? 1 : 0);
    },
  );
});
