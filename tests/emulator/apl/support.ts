import { isQueryError, openDatasets, type QueryError } from "../../../emulator/apl";
import { defined } from "../../../emulator/apl/defined";
import { makeFolder, openForTests } from "../../support/suite";

/** The time at which every test runs. */
export const NOW = new Date("2024-01-02T00:00:00Z");

/** A dozen facts that can be checked by hand. */
const facts: readonly (readonly unknown[])[] = [
  ["00:00:00", "GET", 200, 10, "ann", "Order placed", true, ["a", "b"], { city: "Oslo" }],
  ["00:10:00", "POST", 201, 20.5, "bob", "order-failed: timeout", false, ["b"], { city: "Oslo" }],
  ["00:30:00", "GET", 404, 5, "Ann", "Page not found", undefined, [], { city: "Rome" }],
  ["01:00:00", "GET", 200, 15, null, "", true, undefined, { city: "Rome" }],
  ["01:15:00", "PUT", 500, 100, "cy", undefined, false, ["a", "c"]],
  ["02:59:59.5", "GET", 500, 7.5, "ann", "North America", true, undefined, { city: "Lima" }, "7"],
];

/** Those facts as events of 2024-01-01. */
export const LOGS = facts.map(([at, method, status, dur, user, msg, ok, tags, geo, mix]) =>
  defined({ _time: `2024-01-01T${at}Z`, method, status, dur, user, msg, ok, tags, geo, mix }),
);

/** `mix` holds a number, a text and an object; `Method` differs from `method` by its case alone. */
export const ODD: readonly Record<string, unknown>[] = [
  { _time: "2024-01-01T00:00:00Z", id: 1, mix: 7, method: "x", Method: "Y", big: 9007199254740991, "dotted.name": "d" },
  {
    _time: "2024-01-01T02:00:00+02:00",
    id: 2,
    mix: "seven",
    method: "X",
    box: { a: { b: [10, 20] }, "c/d": 1 },
    list: [{ v: 1 }, { v: 2 }],
  },
  { _time: "2024-01-01T00:00:00Z", id: 3, mix: { deep: true }, method: null, flag: true, list: [5, "five", null] },
  { _time: "2024-01-01T00:00:00Z", id: 4, mix: null, box: "text", flag: null, list: [] },
];

type Content = Readonly<Record<string, readonly unknown[]>>;

export type TestDatasets = Awaited<ReturnType<typeof openTestDatasets>>;

export async function openTestDatasets(content: Content = { logs: LOGS, odd: ODD }) {
  const dir = makeFolder();
  const datasets = await openDatasets({ dir, now: () => NOW });
  for (const [name, rows] of Object.entries(content)) await datasets.ingest(name, rows);
  /** The rows of an answer, each as a list of values. */
  const rows = async (apl: string) => {
    const { tables } = await datasets.apl({ apl }, { format: "tabular" });
    const columns = tables[0]?.columns ?? [];
    return (columns[0] ?? []).map((_, i) => columns.map((column) => column[i]));
  };
  return {
    datasets,
    dir,
    rows,
    /** The values of the answer, row by row. */
    column: async (apl: string) => (await rows(apl)).flat(),
    [Symbol.asyncDispose]: () => datasets.close(),
  };
}

/** Datasets for all tests of a file. */
export const shareDatasets = (content?: Content) => openForTests(() => openTestDatasets(content));

/** The error of a query that must fail. */
export async function failure(work: Promise<unknown> | (() => unknown)): Promise<QueryError> {
  try {
    await (typeof work === "function" ? work() : work);
  } catch (e) {
    if (isQueryError(e)) return e;
    throw e;
  }
  throw new Error("expected the query to fail");
}
