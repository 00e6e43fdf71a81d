import { describe, expect, test } from "@jest/globals";
import { resourceDefinitions } from "../../provider/eventDatasets";
import { sessionOf } from "../support/host";
import { oneValueAnswer } from "../support/queryAnswers";
import { openForTests, stopTime } from "../support/suite";
import { meetFault, type Side, startSide } from "./faultyService";
import { lifecycleOperations } from "./lifecycleOperations";
import { type LifecycleCell, lifecycleCells } from "./matrix";
import { requestMatcher } from "./proxy";
import { nameFault } from "./rows";

stopTime();

test("the matrix has every resource", () => {
  const isCovered = (noun: string) => lifecycleOperations.some(({ name }) => name.split(/[:,]/)[0] === noun);
  expect(Object.keys(resourceDefinitions).filter((noun) => !isCovered(noun))).toEqual([]);
});

async function run(side: Side, cell: LifecycleCell) {
  const { request, run } = cell.operation;
  await using faulty = await meetFault(side, cell, request, () => oneValueAnswer(1));
  const { proxy, client, time } = faulty;
  const how = await time.passDuring(run(sessionOf(client), side.direct));
  const meets = requestMatcher(request);
  return {
    how,
    requests: proxy.calls.filter((call) => meets(...(call.split(" ") as [string, string]))).length,
    /** How many objects were created. */
    created: proxy.carriedOut.filter((call) => /^POST \/v2\/\w+ 20/.test(call)).length,
  };
}

// The adapters pass on what the lifecycle decides: tests/lifecycle/lostToken.test.ts tries a lost response in both forms.
describe.each(lifecycleOperations)("$name: ends as the matrix says", (operation) => {
  const side = openForTests(() => startSide(operation.profile));
  const cells = lifecycleCells.filter((cell) => cell.operation === operation);
  test.each(cells.map((cell) => [nameFault(cell), cell] as const))("%s", async (_, cell) => {
    const { expected, requests } = cell;
    const seen = await run(side, cell);
    expect(seen).toMatchObject({ how: expected, ...(requests === undefined ? {} : { requests }) });
    expect(seen.created).toBeLessThanOrEqual(1);
  });
});
