import { Catalog, type MayRead } from "./catalog";
import { type Connection, Database, interruptOn } from "./duckdb";
import { QueryError } from "./errors";
import { legacyQuery } from "./legacyQuery";
import { isAboutEvents, loadFailure, reasonOf } from "./load/failure";
import { stageFile } from "./load/file";
import { checkRows, type IngestFailure, stage, stagedRows } from "./load/ingest";
import { Ledger } from "./load/ledger";
import { writeDataset } from "./load/write";
import { parse } from "./parse";
import type { Cursor, Window } from "./plan/context";
import { autoBin } from "./plan/resolution";
import type { AplRequest, LegacyRequest } from "./request";
import { type Job, type Outcome, run, type Turn } from "./run";
import { parseCursor } from "./shape/cursor";
import { type AplResult, type LegacyResult, shapeAplResult, shapeLegacyResult } from "./shape/response";
import { type FieldMeta, fieldMeta } from "./shape/values";
import { type DatasetSize, measureDatasets, removeEvents } from "./stored";
import { formatInstant, microsOf, parseInstant, parseRequestTime } from "./time";
import { withVariables } from "./variables";

export interface LoadOptions {
  /** The field with an event's time; default: `_time`. */
  readonly timeField?: string;
  /** The time of the request; now if not given. */
  readonly now?: Date;
}

export interface IngestOptions extends LoadOptions {
  /** Fields to add to each event that lacks them. */
  readonly labels?: Readonly<Record<string, unknown>>;
  /** Parses the text of a time to microseconds since 1970; default: RFC 3339. */
  readonly parseTime?: (text: string) => bigint | undefined;
  /** Identifies this ingest. If it is repeated before another ingest starts, its events are stored only once. */
  readonly write?: string;
  readonly signal?: AbortSignal;
}

export interface IngestResult {
  readonly ingested: number;
  readonly failed: number;
  readonly failures: readonly IngestFailure[];
}

export interface QueryOptions {
  /** Whether the caller may read a dataset; called before anything is read. Without this function, every dataset is readable. */
  readonly mayRead?: MayRead;
  readonly signal?: AbortSignal | undefined;
  /** Called before the query computes anything on the JavaScript thread. The query continues when the promise resolves. */
  readonly turn?: Turn | undefined;
  /** The time of the request; now if not given. */
  readonly now?: Date;
}

/** Event datasets on disk, and queries over them. */
export class Datasets {
  /** Writes wait for each other; queries do not wait. */
  #writes: Promise<unknown> = Promise.resolve();
  readonly #database: Database;
  readonly #catalog: Catalog;
  readonly #now: () => Date;

  private constructor(database: Database, catalog: Catalog, now: () => Date) {
    this.#database = database;
    this.#catalog = catalog;
    this.#now = now;
  }

  /** @param dir the folder that holds the datasets, one for each process; created if needed */
  static async open({ dir, now = () => new Date() }: { dir: string; now?: () => Date }): Promise<Datasets> {
    const database = await Database.open(dir);
    using connection = await database.connect();
    return new Datasets(database, await Catalog.read(connection), now);
  }

  /**
   * Adds the events of files, either all or none. A file is CSV if its name says so, otherwise NDJSON or a JSON array.
   * @throws QueryError that names the file, and the line where there are lines
   */
  load(
    name: string,
    files: string | readonly string[],
    { timeField = "_time", now = this.#now() }: LoadOptions = {},
  ): Promise<{ rows: number }> {
    return this.#exclusive(async () => {
      using connection = await this.#database.connect();
      const all = [files].flat();
      const time = microsOf(now);
      await stage(connection, []);
      for (const file of all)
        await stageFile(connection, file, { timeField, labels: {}, parseTime: parseInstant, now: time });
      const work = writeDataset(connection, this.#catalog, name, time, async (add) =>
        add(await stagedRows(connection)),
      );
      const rows = await work.catch((failure: unknown) => {
        throw isAboutEvents(failure) ? loadFailure(failure, all.join(", ")) : failure;
      });
      return { rows };
    });
  }

  /** Adds events. The result names the events that cannot be stored; the others are on disk when the promise resolves. */
  ingest(name: string, rows: readonly unknown[], options: IngestOptions = {}): Promise<IngestResult> {
    const { timeField = "_time", labels = {}, parseTime = parseInstant, signal } = options;
    return this.#exclusive(async () => {
      const now = microsOf(options.now ?? this.#now());
      const { texts, failures } = checkRows(rows, { timeField, labels, parseTime, now });
      using connection = await this.#database.connect();
      const ledger = options.write === undefined ? undefined : new Ledger(connection, options.write);
      using _interrupts = interruptOn(signal, connection);
      const refused = await this.#store({ connection, name, now, ledger, signal }, texts);
      const all = [...failures, ...refused.map((error) => ({ timestamp: formatInstant(now), error }))];
      return { ingested: texts.length - refused.length, failed: all.length, failures: all };
    });
  }

  /** Stores events. Finds refused events by halving, and resolves to the reason for each. */
  async #store(write: Write, texts: readonly string[], part = "all"): Promise<string[]> {
    const { connection, name, now, ledger, signal } = write;
    if (await ledger?.has(part)) return [];
    try {
      await stage(connection, texts);
      await writeDataset(connection, this.#catalog, name, now, async (add) => {
        await ledger?.note(part);
        return add(await stagedRows(connection));
      });
      return [];
    } catch (failure) {
      if (signal?.aborted)
        throw new QueryError("cancelled", "the ingest was cancelled; some of its events may be stored");
      if (!isAboutEvents(failure)) throw new Error(`the events cannot be stored: ${reasonOf(failure)}`);
      if (texts.length <= 1) return texts.map(() => `the event cannot be stored: ${reasonOf(failure)}`);
      const half = Math.ceil(texts.length / 2);
      const first = await this.#store(write, texts.slice(0, half), `${part}.0`);
      return [...first, ...(await this.#store(write, texts.slice(half), `${part}.1`))];
    }
  }

  /** Creates a dataset without events, unless it exists. */
  create(name: string, now = this.#now()): Promise<void> {
    return this.#exclusive(async () => {
      if (this.#catalog.get(name)) return;
      using connection = await this.#database.connect();
      await writeDataset(connection, this.#catalog, name, microsOf(now), (add) =>
        add({ from: "(SELECT 1 WHERE false)", fields: [] }),
      );
    });
  }

  /** Removes the events before an instant; without an instant, removes the dataset with all of its events. */
  remove(name: string, before?: Date): Promise<void> {
    return this.#exclusive(async () => {
      using connection = await this.#database.connect();
      await removeEvents(connection, this.#catalog, name, before && microsOf(before));
    });
  }

  /** The size of each dataset. */
  async measure(): Promise<readonly DatasetSize[]> {
    using connection = await this.#database.connect();
    return await measureDatasets(connection, this.#catalog);
  }

  names(): readonly string[] {
    return this.#catalog.names();
  }

  async apl<F extends "legacy" | "tabular" = "legacy">(
    request: AplRequest,
    { format, mayRead, signal, turn, now = this.#now() }: QueryOptions & { readonly format?: F } = {},
  ): Promise<AplResult<F>> {
    const query = withVariables(parse(request.apl), request.variables, request.apl);
    const outcome = await this.#run(request, () => query, request.apl, { mayRead, signal, turn, now });
    const names = outcome.datasets.map(({ name }) => name);
    const fieldsMetaMap = Object.fromEntries(names.map((name) => [name, this.#fieldsOf(name)]));
    return shapeAplResult(outcome, request, format ?? ("legacy" as F), {
      datasetNames: names,
      fieldsMetaMap,
      now: microsOf(now),
    });
  }

  async legacy(
    dataset: string,
    request: LegacyRequest,
    { mayRead, signal, turn, now = this.#now() }: QueryOptions = {},
  ): Promise<LegacyResult> {
    if (!this.#catalog.get(dataset))
      throw new QueryError("not-found", `there is no dataset ${JSON.stringify(dataset)}`);
    const range = window(request, now);
    const built = (extent: Window) =>
      legacyQuery(dataset, request, autoBin({ start: range.start ?? extent.start, end: range.end ?? extent.end }));
    const outcome = await this.#run(request, built, "", { mayRead, signal, turn, now });
    return shapeLegacyResult(outcome, this.#fieldsOf(dataset), microsOf(now));
  }

  #run(
    request: AplRequest | LegacyRequest,
    query: Job["query"],
    text: string,
    { now = this.#now(), mayRead, signal, turn }: QueryOptions,
  ): Promise<Outcome> {
    const common = { window: window(request, now), cursor: cursorOf(request), now: microsOf(now) };
    return run(this.#database, this.#catalog, { ...common, query, text, mayRead, signal, turn });
  }

  /** Waits for running writes, then closes the files. */
  async close(): Promise<void> {
    await this.#writes.catch(() => undefined);
    this.#database.close();
  }

  #fieldsOf(name: string): FieldMeta[] {
    const fields = this.#catalog.get(name)?.fields ?? [];
    return [
      fieldMeta("_time", "datetime"),
      fieldMeta("_sysTime", "datetime"),
      ...fields.map((field) => fieldMeta(field.name, field.type)),
    ];
  }

  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#writes.then(work, work);
    this.#writes = result.catch(() => undefined);
    return result;
  }
}

/** An ingest under way. */
interface Write {
  readonly connection: Connection;
  readonly name: string;
  readonly now: bigint;
  readonly ledger: Ledger | undefined;
  readonly signal: AbortSignal | undefined;
}

function window({ startTime, endTime }: AplRequest | LegacyRequest, now: Date): Window {
  return {
    start: startTime ? parseRequestTime(startTime, "startTime", now) : undefined,
    end: endTime ? parseRequestTime(endTime, "endTime", now) : undefined,
  };
}

/** The start of the page: after the last shown event for a continuation token; a cursor may repeat its event. */
function cursorOf(request: (AplRequest & { continuationToken?: never }) | LegacyRequest): Cursor | undefined {
  const text = request.continuationToken || request.cursor;
  if (!text) return undefined;
  return { ...parseCursor(text), inclusive: !request.continuationToken && request.includeCursor === true };
}
