import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { lookups, resourceDefinitions } from "../../provider/nouns";
import type { Form } from "../support/forms";
import { stopTime } from "../support/time";
import { type LifecycleCell, lifecycleCells } from "./lifecycleMatrix";
import { lifecycleOperations, resourceOperations } from "./lifecycleOperations";
import { runLifecycleCell, type Sides, startSides } from "./lifecycleRun";
import { Plugins } from "./resources";

stopTime();

const nameOf = ({ row, once }: LifecycleCell) => `${row.name}${once ? ", once" : ""}`;

const suites = [
  ...lifecycleOperations.map((operation) => ({ form: "dynamic" as Form, operation, name: operation.name })),
  ...resourceOperations.map((operation) => ({ form: "native" as Form, operation, name: operation.name })),
];

test("the matrix has every resource and every data function", () => {
  const nouns = Object.keys({ ...resourceDefinitions, ...lookups });
  const isCovered = (noun: string) => lifecycleOperations.some(({ name }) => name.split(/[:,]/)[0] === noun);
  expect(nouns.filter((noun) => !isCovered(noun))).toEqual([]);
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

  const cells = lifecycleCells.filter((cell) => cell.operation === operation);
  test.each(cells.map((cell) => [nameOf(cell), cell] as const))("%s", async (_, cell) => {
    const { expected, requests } = cell;
    const seen = await runLifecycleCell(sides, cell, form, plugins);
    expect(seen).toMatchObject({ how: expected, ...(requests === undefined ? {} : { requests }) });
    // At most one created object is left.
    expect(seen.left).toBeLessThanOrEqual(1);
  });
});
