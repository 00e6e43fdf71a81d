import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { resourceDefinitions } from "../../provider/nouns";
import { stopTime } from "../support/time";
import { lifecycleCells } from "./lifecycleMatrix";
import { lifecycleOperations } from "./lifecycleOperations";
import { runLifecycleCell, type Sides, startSides } from "./lifecycleRun";

stopTime();

test("the matrix has every resource", () => {
  const isCovered = (noun: string) => lifecycleOperations.some(({ name }) => name.split(/[:,]/)[0] === noun);
  expect(Object.keys(resourceDefinitions).filter((noun) => !isCovered(noun))).toEqual([]);
});

// The adapters pass on what the lifecycle decides: tests/native and tests/dynamic try one failure of each kind through them.
describe.each(lifecycleOperations)("$name: ends as the matrix says", (operation) => {
  let sides: Sides;
  beforeAll(async () => {
    sides = await startSides();
  });
  afterAll(async () => {
    await sides[Symbol.asyncDispose]();
  });

  const cells = lifecycleCells.filter((cell) => cell.operation === operation);
  test.each(cells.map((cell) => [`${cell.row.name}${cell.once ? ", once" : ""}`, cell] as const))(
    "%s",
    async (_, cell) => {
      const { expected, requests } = cell;
      const seen = await runLifecycleCell(sides, cell);
      expect(seen).toMatchObject({ how: expected, ...(requests === undefined ? {} : { requests }) });
      // At most one created object is left.
      expect(seen.left).toBeLessThanOrEqual(1);
    },
  );
});
