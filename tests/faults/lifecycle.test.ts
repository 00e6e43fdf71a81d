import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { mapConcurrently } from "./concurrency";
import { type LifecycleCell, lifecycleCells } from "./lifecycleMatrix";
import { resourceOperations } from "./lifecycleOperations";
import { runLifecycleCell, type Sides, startSides } from "./lifecycleRun";

let sides: Sides;
beforeAll(async () => {
  sides = await startSides();
});
afterAll(async () => sides[Symbol.asyncDispose]());

const nameOf = ({ row, once, operation }: LifecycleCell) => `${operation.name}: ${row.name}${once ? ", once" : ""}`;

const isResource = ({ operation }: LifecycleCell) => resourceOperations.includes(operation);
const suites = [
  ["dynamic", lifecycleCells],
  ["native", lifecycleCells.filter(isResource)],
] as const;

describe.each(suites)("what a resource makes of a fault is what the matrix says, in the %s form", (form, cells) => {
  const results = new Map<string, Awaited<ReturnType<typeof runLifecycleCell>>>();
  beforeAll(async () => {
    const work = async (cell: LifecycleCell) => results.set(nameOf(cell), await runLifecycleCell(sides, cell, form));
    const isSlow = ({ row }: LifecycleCell) => row.effect === "silent" || row.effect === "late";
    const [slow, fast] = [cells.filter(isSlow), cells.filter((cell) => !isSlow(cell))];
    await Promise.all([mapConcurrently(slow, slow.length, work), mapConcurrently(fast, 8, work)]);
  }, 300_000);

  test.each(cells.map((cell) => [nameOf(cell), cell] as const))("%s", (name, { expected, requests }) => {
    const seen = results.get(name);
    expect(seen).toMatchObject({ how: expected, ...(requests === undefined ? {} : { requests }) });
    // Whatever happened, at most one object was made, or is left of those that were.
    expect(seen?.left).toBeLessThanOrEqual(1);
  });
});
