import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { Engine, type EngineLimits, type RunOptions } from "./engine/engine";
import type { JobName, Jobs } from "./engine/jobs";

/** A file with the first events of a dataset. */
export interface DatasetFile {
  readonly name: string;
  readonly file: string;
}

/** The datasets of a data folder, opened at the first use: a service for tokens alone needs no DuckDB. */
export class LazyDatasets {
  readonly #folder: string;
  readonly #now: () => Date;
  readonly #limits: EngineLimits;
  #engine: Engine | undefined;
  #isNew = false;

  constructor(dataDir: string, now: () => Date, limits: EngineLimits) {
    this.#folder = path.join(dataDir, "datasets");
    this.#now = now;
    this.#limits = limits;
  }

  /**
   * Runs a job on the engine.
   * @throws QueryError "unavailable" if DuckDB is not installed or cannot open the folder
   */
  async run<N extends JobName>(name: N, input: Jobs[N]["input"], options?: RunOptions): Promise<Jobs[N]["output"]> {
    return (await this.#open()).run(name, input, options);
  }

  /**
   * The names of the datasets. DuckDB is not opened if no dataset was ever used.
   * @throws QueryError "unavailable" if they cannot be opened
   */
  async names(): Promise<readonly string[]> {
    if (!this.#engine && !existsSync(this.#folder)) return [];
    return (await this.#open()).names;
  }

  /** The names that are known without opening DuckDB. */
  get known(): readonly string[] {
    return this.#engine?.names ?? [];
  }

  /**
   * Loads files into datasets that do not exist yet. Existing datasets stay unchanged: otherwise every start would
   * add the same events again.
   * @returns the number of events for each loaded dataset
   * @throws Error that names the dataset and the file
   */
  async load(files: readonly DatasetFile[], timeField: string | undefined): Promise<Map<string, number>> {
    const loaded = new Map<string, number>();
    if (files.length === 0) return loaded;
    const engine = await this.#open();
    const known = new Set(engine.names);
    for (const [name, of] of Map.groupBy(files, (file) => file.name)) {
      if (known.has(name)) continue;
      const paths = of.map(({ file }) => file);
      try {
        // All files of a dataset at once: the next start would take a half-loaded dataset for a complete one.
        const input = { dataset: name, files: paths, timeField, now: this.#now() };
        const { rows } = await engine.run("load", input, { unlimited: true });
        loaded.set(name, rows);
      } catch (failure) {
        throw new Error(`dataset ${name}: ${(failure as Error).message}`);
      }
    }
    return loaded;
  }

  async close(): Promise<void> {
    await this.#engine?.close();
  }

  /** Closes after a failed start, and removes everything that the start created. */
  async discard(): Promise<void> {
    await this.close();
    if (this.#isNew) await rm(this.#folder, { recursive: true, force: true });
  }

  async #open(): Promise<Engine> {
    this.#isNew ||= !existsSync(this.#folder);
    this.#engine ??= new Engine(this.#folder, this.#limits);
    await this.#engine.open();
    return this.#engine;
  }
}
