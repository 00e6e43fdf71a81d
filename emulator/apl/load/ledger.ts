import type { Connection } from "../duckdb";
import { quote } from "../sql";

const table = "apl_writes";

export const ledgerTable = `CREATE TABLE IF NOT EXISTS ${table} (write VARCHAR, part VARCHAR)`;

/**
 * Records which parts of an ingest are stored. A part and its record are stored in one transaction, so an ingest can be
 * repeated after a crash and stores nothing twice. Writes run one after another, so the ledger keeps only the latest ingest.
 */
export class Ledger {
  readonly #connection: Connection;
  readonly #write: string;

  constructor(connection: Connection, write: string) {
    this.#connection = connection;
    this.#write = quote(write);
  }

  async has(part: string): Promise<boolean> {
    const sql = `SELECT count(*) FROM ${table} WHERE write = ${this.#write} AND part = ${quote(part)}`;
    return (await this.#connection.number(sql)) > 0;
  }

  /** Records a part, in the transaction that stores its events. */
  async note(part: string): Promise<void> {
    await this.#connection.run(`DELETE FROM ${table} WHERE write <> ${this.#write};
      INSERT INTO ${table} VALUES (${this.#write}, ${quote(part)})`);
  }
}
