import { inspect } from "node:util";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { isApiError } from "../../sdk";
import { aplAnswer, datasetAnswer } from "../support/queryAnswers";
import { findSecrets } from "../support/secrets";
import { openForTests, stopTime } from "../support/suite";
import { clientOperationNames, clientOperations, type Ids, makeObjects } from "./clientOperations";
import { meetFault, type Side, startSide } from "./faultyService";
import { type ClientCell, clientCells } from "./matrix";
import { nameFault } from "./rows";

stopTime();

const answerOf = (target: string) => JSON.stringify(target.includes("_apl") ? aplAnswer : datasetAnswer);

async function run(side: Side, shared: Ids, cell: ClientCell) {
  const { kind, line, run: call } = clientOperations[cell.operation];
  await using faulty = await meetFault(side, cell, line, answerOf);
  const { proxy, client, time } = faulty;
  const ids = kind === "delete" ? await makeObjects(side.direct) : shared;
  // The call must not be the first on its connection, because reused connections can fail, too.
  await client.queries.dataset("warm-up", { startTime: "a", endTime: "b", resolution: "auto" });
  const before = { calls: proxy.calls.length, carriedOut: proxy.carriedOut.length };
  let shown = "";
  const how = await time.passDuring(call(client, ids)).then(
    () => "returned",
    (failure) => {
      if (!isApiError(failure)) throw failure;
      shown = `${inspect(failure, { depth: null, showHidden: true })}${JSON.stringify(failure)}${failure.stack}`;
      return failure.outcome;
    },
  );
  return {
    how,
    requests: proxy.calls.length - before.calls,
    carriedOut: proxy.carriedOut.length - before.carriedOut,
    /** Secrets in anything that can be shown of the error. */
    leaks: await findSecrets({ texts: { shown } }, [side.service.rootToken, ...proxy.minted]),
  };
}

describe.each(clientOperationNames)("%s ends as the matrix says", (operation) => {
  const side = openForTests(() => startSide("extended"));
  let shared: Ids;
  beforeAll(async () => {
    shared = await makeObjects(side.direct);
  });

  const cells = clientCells.filter((cell) => cell.operation === operation);
  test.each(cells.map((cell) => [nameFault(cell), cell] as const))("%s", async (_, cell) => {
    const { expected, row } = cell;
    const seen = await run(side, shared, cell);
    expect(seen).toMatchObject({ ...expected, leaks: [] });
    if (!row.carriedOut) expect(seen.carriedOut).toBe(expected.how === "returned" ? 1 : 0);
  });
});
