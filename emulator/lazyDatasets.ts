import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { type Datasets, defined, isQueryError, openDatasets } from "./apl";
import { HttpError } from "./httpError";

/** A file whose events a dataset starts with. */
export interface DatasetFile {
  readonly name: string;
  readonly file: string;
}

/** The datasets of a data folder. Opened at the first use: a service for tokens alone needs no DuckDB. */
export class LazyDatasets {
  readonly #folder: string;
  readonly #now: () => Date;
  #opened: Promise<Datasets> | undefined;
  #isNew = false;

  constructor(dataDir: string, now: () => Date) {
    this.#folder = path.join(dataDir, "datasets");
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

  /** The datasets that there are. Where none was ever used, that is known without DuckDB. */
  async names(): Promise<readonly string[]> {
    if (!this.#opened && !existsSync(this.#folder)) return [];
    return (await this.get()).names();
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
    for (const [name, of] of Map.groupBy(files, (file) => file.name)) {
      if (known.has(name)) continue;
      const paths = of.map(({ file }) => file);
      try {
        // All files of a dataset at once: half a dataset would be taken for a whole one at the next start.
        loaded.set(name, (await datasets.load(name, paths, defined({ timeField }))).rows);
      } catch (failure) {
        throw new Error(`dataset ${name}: ${(failure as Error).message}`);
      }
    }
    return loaded;
  }

  async close(): Promise<void> {
    const datasets = await this.#opened?.catch(() => undefined);
    await datasets?.close();
  }

  /** Closes after a start that has failed, and takes away what the start has made. */
  async discard(): Promise<void> {
    await this.close();
    if (this.#isNew) await rm(this.#folder, { recursive: true, force: true });
  }

  async #open(): Promise<Datasets> {
    this.#isNew ||= !existsSync(this.#folder);
    return openDatasets({ dir: this.#folder, now: this.#now });
  }
}
