import { type Behaviour, json } from "./service";

type Value = string | number | boolean | null;

const result = (totals: readonly unknown[], matches: readonly unknown[], status: object) => ({
  buckets: { series: [], totals },
  datasetNames: ["web"],
  fieldsMetaMap: {},
  matches,
  request: {},
  status: { isPartial: false, messages: [], ...status },
});

const totalOf = (value: Value) => [{ id: 0, group: {}, aggregations: [{ op: "count_", value }] }];

/** The documented answer of a query that computes one value, as text. */
export const oneValueAnswer = (value: Value): string => JSON.stringify(result(totalOf(value), [], {}));

/** The documented answer of a query that computes one value (2.4). */
export const oneValue = (value: Value, status = {}): Behaviour => json(200, result(totalOf(value), [], status));

/** The documented answer of a query that lists events. */
export const events = (...rows: readonly Readonly<Record<string, Value>>[]): Behaviour => eventsOf({}, ...rows);

/** The same with more of a status. */
export const eventsOf = (status: object, ...rows: readonly Readonly<Record<string, Value>>[]): Behaviour =>
  json(
    200,
    result(
      [],
      rows.map((data, i) => ({ _rowId: `r${i}`, _sysTime: time, _time: time, data })),
      status,
    ),
  );

const time = "2026-11-21T12:00:00Z";
