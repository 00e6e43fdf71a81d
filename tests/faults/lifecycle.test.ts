import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { lookups, resourceDefinitions } from "../../provider/nouns";
import type { Form } from "../support/forms";
import { stopTime } from "../support/time";
import { type LifecycleCell, lifecycleCells } from "./lifecycleMatrix";
import { lifecycleOperations, resourceOperations } from "./lifecycleOperations";
import { runLifecycleCell, type Sides, startSides } from "./lifecycleRun";
import { Plugins } from "./resources";
import { rows } from "./rows";

stopTime();

const nameOf = ({ row, once }: LifecycleCell) => `${row.name}${once ? ", once" : ""}`;

/** The plugin passes on what the lifecycle decides. The dynamic form tries this with every status, the plugin with one of each kind. */
const statusesOfPlugin = ["status 401", "status 404", "status 422", "status 500", "redirect 301"];
const isTriedIn = (form: Form, { row: { name } }: LifecycleCell) =>
  form === "dynamic" || !/^(status|redirect) \d+$/.test(name) || statusesOfPlugin.includes(name);

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

  const cells = lifecycleCells.filter((cell) => cell.operation === operation && isTriedIn(form, cell));
  test.each(cells.map((cell) => [nameOf(cell), cell] as const))("%s", async (_, cell) => {
    const { expected, requests } = cell;
    const seen = await runLifecycleCell(sides, cell, form, plugins);
    expect(seen).toMatchObject({ how: expected, ...(requests === undefined ? {} : { requests }) });
    // At most one created object is left.
    expect(seen.left).toBeLessThanOrEqual(1);
  });
});
