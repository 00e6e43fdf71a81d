import { type Behaviour, json } from "./service";

type Value = string | number | boolean | null;

const answer = (totals: readonly unknown[], matches: readonly unknown[], status: object): Behaviour =>
  json(200, {
    buckets: { series: [], totals },
    datasetNames: ["web"],
    fieldsMetaMap: {},
    matches,
    request: {},
    status: { isPartial: false, messages: [], ...status },
  });

/** The documented answer of a query that computes one value (2.4). */
export const oneValue = (value: Value, status = {}): Behaviour =>
  answer([{ id: 0, group: {}, aggregations: [{ op: "count_", value }] }], [], status);

/** The documented answer of a query that lists events. */
export const events = (...rows: readonly Readonly<Record<string, Value>>[]): Behaviour =>
  answer(
    [],
    rows.map((data, i) => ({ _rowId: `r${i}`, _sysTime: time, _time: time, data })),
    {},
  );

const time = "2026-11-21T12:00:00Z";
