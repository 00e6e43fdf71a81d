import { beforeAll, describe, expect, test } from "@jest/globals";
import type { Form } from "../support/forms";
import { runInBatches } from "./batches";
import { type LifecycleCell, lifecycleCells } from "./lifecycleMatrix";
import { resourceOperations } from "./lifecycleOperations";
import { runLifecycleCell, startSides } from "./lifecycleRun";
import { Plugins } from "./resources";

const nameOf = ({ row, once, operation }: LifecycleCell) => `${operation.name}: ${row.name}${once ? ", once" : ""}`;

const isResource = ({ operation }: LifecycleCell) => resourceOperations.includes(operation);
const suites = [
  ["dynamic", lifecycleCells],
  ["native", lifecycleCells.filter(isResource)],
] as const;

const results = new Map<string, Awaited<ReturnType<typeof runLifecycleCell>>>();
const resultOf = (form: Form, name: string) => results.get(`${form}, ${name}`);

// All at once: each form waits for silences for a minute.
beforeAll(async () => {
  const all = suites.flatMap(([form, cells]) => cells.map((cell) => ({ ...cell, form })));
  using plugins = new Plugins();
  await runInBatches(all, startSides, async (cell, sides) => {
    results.set(`${cell.form}, ${nameOf(cell)}`, await runLifecycleCell(sides, cell, cell.form, plugins));
  });
}, 300_000);

describe.each(suites)("what a resource makes of a fault is what the matrix says, in the %s form", (form, cells) => {
  test.each(cells.map((cell) => [nameOf(cell), cell] as const))("%s", (name, { expected, requests }) => {
    const seen = resultOf(form, name);
    expect(seen).toMatchObject({ how: expected, ...(requests === undefined ? {} : { requests }) });
    // Whatever happened, at most one object was made, or is left of those that were.
    expect(seen?.left).toBeLessThanOrEqual(1);
  });
});
