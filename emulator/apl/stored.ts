import { type Catalog, systemColumns } from "./catalog";
import type { Connection } from "./duckdb";
import { timestamp } from "./sql";
import { formatInstant } from "./time";

/** The size of a dataset. */
export interface DatasetSize {
  readonly name: string;
  readonly events: number;
  /** The size of its events as text. */
  readonly bytes: number;
  /** The time of the last event; absent without events. */
  readonly last?: string;
}

export async function measureDatasets(connection: Connection, catalog: Catalog): Promise<DatasetSize[]> {
  const sizes: DatasetSize[] = [];
  for (const name of catalog.names()) {
    const table = catalog.get(name)?.table ?? "";
    const bytes = `coalesce(sum(strlen(CAST(${table} AS VARCHAR))), 0)`;
    const [row = []] = await connection.values(
      `SELECT count(*), ${bytes}, epoch_us(max(${systemColumns.time})) FROM ${table}`,
    );
    const [events, size, last] = row as [bigint, bigint, bigint | null];
    sizes.push({
      name,
      events: Number(events),
      bytes: Number(size),
      ...(last !== null && { last: formatInstant(last) }),
    });
  }
  return sizes;
}

/** Removes the events before an instant; without an instant, removes the dataset with all of its events. */
export async function removeEvents(
  connection: Connection,
  catalog: Catalog,
  name: string,
  before: bigint | undefined,
): Promise<void> {
  const dataset = catalog.get(name);
  if (!dataset) return;
  const { id, table } = dataset;
  if (before !== undefined)
    return await connection.run(`DELETE FROM ${table} WHERE ${systemColumns.time} < ${timestamp(before)}`);
  await connection.transaction(() =>
    connection.run(`DROP TABLE ${table};
      DELETE FROM apl_fields WHERE dataset = ${id};
      DELETE FROM apl_datasets WHERE id = ${id}`),
  );
  catalog.delete(name);
}
