import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { lookups, resourceDefinitions } from "../../provider/nouns";
import type { Form } from "../support/program";
import { stopTime } from "../support/time";
import { type LifecycleCell, lifecycleCells } from "./lifecycleMatrix";
import { lifecycleOperations, resourceOperations } from "./lifecycleOperations";
import { runLifecycleCell, type Sides, startSides } from "./lifecycleRun";
import type { LifecycleOperation } from "./operation";
import { Plugins } from "./resources";
import { rows } from "./rows";

stopTime();

const nameOf = ({ row, once }: LifecycleCell) => `${row.name}${once ? ", once" : ""}`;

/** Statuses that a lifecycle tells apart. */
const statusesOfPlugin = ["status 401", "status 404", "status 422", "status 500", "redirect 301"];
const isStatus = ({ row: { name } }: LifecycleCell) => /^(status|redirect) \d+$/.test(name);

/** Faults that mean the same for the lifecycle, and have the same result. */
const kindOf = ({ row, once, expected, requests }: LifecycleCell) =>
  [row.effect, row.carriedOut, once, expected, requests].join();

/**
 * The plugin passes on what the lifecycle decides. So the dynamic form tries each operation with every fault, the plugin the
 * first operation with every fault, as it has a client of its own, and the others with one of each kind.
 */
function cellsOf(form: Form, operation: LifecycleOperation): readonly LifecycleCell[] {
  const cells = lifecycleCells.filter((cell) => cell.operation === operation);
  if (form === "dynamic" || operation === resourceOperations[0]) return cells;
  const firsts = new Map(
    cells
      .filter((cell) => !isStatus(cell))
      .map((cell) => [kindOf(cell), cell] as const)
      .reverse(), // the first one stays
  );
  return cells.filter((cell) => statusesOfPlugin.includes(cell.row.name) || firsts.get(kindOf(cell)) === cell);
}

const suites = [
  ...lifecycleOperations.map((operation) => ({ form: "dynamic" as Form, operation, name: operation.name })),
  ...resourceOperations.map((operation) => ({ form: "native" as Form, operation, name: operation.name })),
];

test("the matrix has every resource and every data function", () => {
  const nouns = Object.keys({ ...resourceDefinitions, ...lookups });
  const isCovered = (noun: string) => lifecycleOperations.some(({ name }) => name.split(/[:,]/)[0] === noun);
  expect(nouns.filter((noun) => !isCovered(noun))).toEqual([]);
});

test("the statuses that the plugin is tried with are rows of the matrix", () => {
  const names = rows.map(({ name }) => name);
  expect(statusesOfPlugin.filter((name) => !names.includes(name))).toEqual([]);
});

const plugins = new Plugins();
afterAll(() => plugins[Symbol.dispose]());

describe.each(suites)("$form form, $name: ends as the matrix says", ({ form, operation }) => {
  let sides: Sides;
  beforeAll(async () => {
    sides = await startSides();
  });
  afterAll(async () => {
    await sides[Symbol.asyncDispose]();
  });

  test.each(cellsOf(form, operation).map((cell) => [nameOf(cell), cell] as const))("%s", async (_, cell) => {
    const { expected, requests } = cell;
    const seen = await runLifecycleCell(sides, cell, form, plugins);
    expect(seen).toMatchObject({ how: expected, ...(requests === undefined ? {} : { requests }) });
    // At most one created object is left.
    expect(seen.left).toBeLessThanOrEqual(1);
  });
});
