import path from "node:path";
import { type Datasets, isQueryError, openDatasets } from "./apl";
import { HttpError } from "./httpError";

/** A file whose events a dataset starts with. */
export interface DatasetFile {
  readonly name: string;
  readonly file: string;
}

/** The datasets of a data folder. Opened at the first use: a service for tokens alone needs no DuckDB. */
export class LazyDatasets {
  readonly #dataDir: string;
  readonly #now: () => Date;
  #opened: Promise<Datasets> | undefined;

  constructor(dataDir: string, now: () => Date) {
    this.#dataDir = dataDir;
    this.#now = now;
  }

  /** @throws HttpError 501 where DuckDB is not installed, or cannot open the folder */
  async get(): Promise<Datasets> {
    this.#opened ??= this.#open();
    try {
      return await this.#opened;
    } catch (failure) {
      this.#opened = undefined; // the next request may find it repaired
      throw isQueryError(failure) ? new HttpError(501, failure.message) : failure;
    }
  }

  /**
   * Loads files into datasets that are not there yet. What is on disk already is kept as it is, or every start would add
   * the same events again.
   * @returns how many events each dataset that was loaded has got
   * @throws Error that names the dataset and the file
   */
  async load(files: readonly DatasetFile[], timeField: string | undefined): Promise<Map<string, number>> {
    const loaded = new Map<string, number>();
    if (files.length === 0) return loaded;
    const datasets = await this.get();
    const known = new Set(datasets.names());
    for (const { name, file } of files) {
      if (known.has(name)) continue;
      try {
        const { rows } = await datasets.load(name, file, timeField === undefined ? {} : { timeField });
        loaded.set(name, (loaded.get(name) ?? 0) + rows);
      } catch (failure) {
        throw new Error(`dataset ${name}: ${file}: ${(failure as Error).message}`, { cause: failure });
      }
    }
    return loaded;
  }

  async close(): Promise<void> {
    const datasets = await this.#opened?.catch(() => undefined);
    await datasets?.close();
  }

  #open(): Promise<Datasets> {
    return openDatasets({ dir: path.join(this.#dataDir, "datasets"), now: this.#now });
  }
}
