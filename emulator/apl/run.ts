import type { DuckDBTimestampValue, DuckDBValue } from "@duckdb/node-api";
import type { Query } from "./ast";
import { type Catalog, type DatasetInfo, type MayRead, Reader } from "./catalog";
import { blockRows, type Database, interruptOn } from "./duckdb";
import { QueryError } from "./errors";
import { type After, Context, type Cursor, type Window } from "./plan/context";
import { planPipeline } from "./plan/pipeline";
import { planQuery, type QueryPlan, type Selection } from "./plan/query";
import { isByTime, isOldestFirst } from "./plan/relation";
import { rowCondition } from "./plan/union";
import { explainFailure } from "./runFailure";
import { Snapshot } from "./snapshot";

/** A query to run, read from the request. */
export interface Job {
  /** The query. The size of automatic bins depends on the time range of the events. */
  readonly query: (extent: Window) => Query;
  readonly text: string;
  readonly mayRead: MayRead;
  readonly window: Window;
  readonly cursor: Cursor | undefined;
  readonly now: bigint;
  readonly signal: AbortSignal | undefined;
  readonly turn: Turn | undefined;
}

/** Waits until no other query computes outside the database. Dispose the result to let the next one continue. */
export type Turn = () => Promise<Disposable>;

export interface Rows {
  readonly values: readonly (readonly DuckDBValue[])[];
  /** Whether there were more rows than the limit. */
  readonly cut: boolean;
}

/** The events that the query read: the events of its datasets within the window. */
export interface Examined {
  readonly rows: number;
  readonly blocks: number;
  readonly first: bigint | undefined;
  readonly last: bigint | undefined;
}

export interface Outcome {
  readonly query: Query;
  readonly plan: QueryPlan;
  readonly context: Context;
  /** The datasets that the query reads. */
  readonly datasets: readonly DatasetInfo[];
  readonly rows: Rows;
  readonly totals: Rows | undefined;
  readonly matched: number;
  readonly examined: Examined;
  readonly window: Window;
  /** Microseconds. */
  readonly elapsed: number;
}

export async function run(database: Database, catalog: Catalog, job: Job): Promise<Outcome> {
  const started = process.hrtime.bigint();
  if (job.signal?.aborted) throw new QueryError("cancelled", "the query was cancelled");
  using connection = await database.connect();
  using _interrupts = interruptOn(job.signal, connection);
  const reader = new Reader(catalog, job.mayRead);
  try {
    const outcome = await runQuery(database, await Snapshot.begin(connection, reader), reader, job);
    return { ...outcome, elapsed: Number((process.hrtime.bigint() - started) / 1000n) };
  } catch (e) {
    if (job.signal?.aborted) throw new QueryError("cancelled", "the query was cancelled", undefined, { cause: e });
    throw e;
  }
}

async function runQuery(
  database: Database,
  snapshot: Snapshot,
  reader: Reader,
  job: Job,
): Promise<Omit<Outcome, "elapsed">> {
  const plan = (extent: Window, after?: After) => {
    const query = job.query(extent);
    const { text, now, window } = job;
    const environment = { text, now, window, extent, after, reader };
    const context: Context = new Context(environment, (body) => planPipeline(context, body));
    return { query, context, plan: planQuery(context, query) };
  };
  // Planned once to find out what it reads and in which order, and again with the time range of those events.
  const { relation } = plan({ start: undefined, end: undefined }).plan.rows;
  const after = job.cursor && { ...job.cursor, oldestFirst: isOldestFirst(relation) };
  if (after && !isByTime(relation))
    throw new QueryError("semantic", "a cursor works only for a list of events that is sorted by time");
  const examined = await examine(snapshot, reader.found, job.window);
  if (examined.blocks > 1) await database.expectMuch();
  const extent: Window = { start: examined.first, end: examined.last === undefined ? undefined : examined.last + 1n };
  const planned = plan(extent, after);
  using _turn = planned.context.computes ? await job.turn?.() : undefined;
  if (job.signal?.aborted) throw new QueryError("cancelled", "the query was cancelled");
  const executed = await execute(snapshot, planned.plan).catch((e: unknown) => {
    throw explainFailure(e);
  });
  return {
    ...planned,
    ...executed,
    datasets: reader.found,
    examined,
    window: { start: job.window.start ?? extent.start, end: job.window.end ?? extent.end },
  };
}

async function execute(snapshot: Snapshot, plan: QueryPlan): Promise<Pick<Outcome, "rows" | "totals" | "matched">> {
  for (const { table, select } of plan.setup) await snapshot.keep(table, select);
  const rows = await fetchRows(snapshot, plan.rows);
  const totals = plan.totals && (await fetchRows(snapshot, plan.totals));
  const known = plan.matchedIn === "count" ? Number(rows.values[0]?.[0]) : rows.values.length;
  const isKnown = plan.matchedIn === "count" || (plan.matchedIn === "rows" && !rows.cut);
  const matched = isKnown ? known : Number((await snapshot.values(plan.matched))[0]?.[0]);
  return { rows, totals, matched };
}

async function fetchRows(snapshot: Snapshot, { sql, limit }: Selection): Promise<Rows> {
  const values = await snapshot.values(sql);
  return { values: values.slice(0, limit), cut: values.length > limit };
}

async function examine(snapshot: Snapshot, datasets: readonly DatasetInfo[], window: Window): Promise<Examined> {
  const found = await Promise.all(
    datasets.map(async ({ table }) => {
      const [row] = await snapshot.values(`SELECT count(*), min(t), max(t) FROM ${table}${rowCondition(window)}`);
      const [count, first, last] = row ?? [];
      return { count: Number(count ?? 0), first: micros(first), last: micros(last) };
    }),
  );
  const times = found.flatMap(({ first, last }) => [first ?? [], last ?? []].flat()).sort((a, b) => (a < b ? -1 : 1));
  return {
    rows: found.reduce((sum, { count }) => sum + count, 0),
    blocks: found.reduce((sum, { count }) => sum + Math.ceil(count / blockRows), 0),
    first: times[0],
    last: times.at(-1),
  };
}

const micros = (value: DuckDBValue | undefined): bigint | undefined =>
  value ? (value as DuckDBTimestampValue).micros : undefined;
