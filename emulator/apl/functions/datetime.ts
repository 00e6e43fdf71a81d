import { integer, quote, timestamp } from "../sql";
import { type CallSite, type FunctionSpec, type Functions, fn } from "./define";

const spans = ["year", "quarter", "month", "week", "day", "hour", "minute", "second", "millisecond", "microsecond"];

/** The units that each function accepts. */
const unitsOf = {
  datetime_add: spans,
  datetime_diff: [...spans, "nanosecond"],
  datetime_part: [...spans, "nanosecond", "dayofyear", "week_of_year", "weekofyear"],
} as const;

/** The unit of time in a call; it must be a constant. */
function unitIn({ context, values, at }: CallSite, name: keyof typeof unitsOf): string {
  const units = unitsOf[name];
  const { constant } = values[0] ?? {};
  const unit = typeof constant === "string" ? constant.toLowerCase() : "";
  if (units.includes(unit)) return unit;
  return context.fail("semantic", `${name}() takes one of ${units.map((u) => `"${u}"`).join(", ")} first`, at);
}

/** Weeks start on Sundays here; DuckDB's start on Mondays. */
const startOfWeek = (time: string) => `(date_trunc('day', ${time}) - to_days(CAST(dayofweek(${time}) AS INTEGER)))`;

const startOf = (unit: string) => (time: string) =>
  unit === "week" ? startOfWeek(time) : `CAST(date_trunc(${quote(unit)}, ${time}) AS TIMESTAMP)`;

const addUnits = (time: string, unit: string, count: string) =>
  `TRY(date_add(${time}, CAST(${count} AS INTEGER) * INTERVAL 1 ${unit}))`;

const start = (unit: string): FunctionSpec =>
  fn("datetime, long?", "datetime", ([time = "NULL", offset = "0"]) => startOf(unit)(addUnits(time, unit, offset)));

const end = (unit: string): FunctionSpec =>
  fn(
    "datetime, long?",
    "datetime",
    ([time = "NULL", offset = "0"]) =>
      `(${addUnits(startOf(unit)(addUnits(time, unit, offset)), unit, "1")} - INTERVAL 1 microsecond)`,
  );

const piece = (sql: (time: string) => string): FunctionSpec =>
  fn("datetime", "long", ([time = "NULL"]) => `CAST(${sql(time)} AS BIGINT)`);

const epoch = (scale: (n: string) => string): FunctionSpec =>
  fn("long", "datetime", ([n = "NULL"]) => `TRY(make_timestamp(${scale(n)}))`);

const weekOfYear = (time: string) => `weekofyear(${time})`;

const partFormulas: Readonly<Record<string, (time: string) => string>> = {
  millisecond: (time) => `epoch_us(${time}) // 1000 % 1000`,
  microsecond: (time) => `epoch_us(${time}) % 1000000`,
  nanosecond: (time) => `epoch_us(${time}) % 1000000 * 1000`,
  dayofyear: (time) => `dayofyear(${time})`,
  week_of_year: weekOfYear,
  weekofyear: weekOfYear,
  week: weekOfYear,
};

export const datetimeFunctions: Functions = {
  now: fn("timespan?", "datetime", ([offset], { context }) => {
    const now = timestamp(context.environment.now);
    return offset === undefined ? now : `make_timestamp(epoch_us(${now}) + ${offset} // 1000)`;
  }),
  ago: fn(
    "timespan",
    "datetime",
    ([span], { context }) => `make_timestamp(${integer(context.environment.now)} - ${span} // 1000)`,
  ),
  datetime_add: fn("any, long, datetime", "datetime", ([, count, time], site) =>
    addUnits(String(time), unitIn(site, "datetime_add"), String(count)),
  ),
  datetime_part: fn("any, datetime", "long", ([, time], site) => {
    const unit = unitIn(site, "datetime_part");
    const formula = partFormulas[unit] ?? ((of: string) => `date_part(${quote(unit)}, ${of})`);
    return `CAST(${formula(String(time))} AS BIGINT)`;
  }),
  datetime_diff: fn("any, datetime, datetime", "long", ([, a, b], site) => {
    const unit = unitIn(site, "datetime_diff");
    if (unit === "nanosecond") return `((epoch_us(${a}) - epoch_us(${b})) * 1000)`;
    if (unit === "week") return `date_diff('day', ${startOfWeek(String(b))}, ${startOfWeek(String(a))}) // 7`;
    return `date_diff(${quote(unit)}, ${b}, ${a})`;
  }),
  dayofmonth: piece((t) => `day(${t})`),
  dayofweek: piece((t) => `dayofweek(${t})`),
  dayofyear: piece((t) => `dayofyear(${t})`),
  hourofday: piece((t) => `hour(${t})`),
  monthofyear: piece((t) => `month(${t})`),
  getmonth: piece((t) => `month(${t})`),
  getyear: piece((t) => `year(${t})`),
  week_of_year: piece((t) => `weekofyear(${t})`),
  ...Object.fromEntries(["day", "week", "month", "year"].map((unit) => [`startof${unit}`, start(unit)])),
  ...Object.fromEntries(["day", "week", "month", "year"].map((unit) => [`endof${unit}`, end(unit)])),
  unixtime_seconds_todatetime: epoch((n) => `${n} * 1000000`),
  unixtime_milliseconds_todatetime: epoch((n) => `${n} * 1000`),
  unixtime_microseconds_todatetime: epoch((n) => n),
  unixtime_nanoseconds_todatetime: epoch((n) => `${n} // 1000`),
};
