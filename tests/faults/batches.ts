import { mapConcurrently } from "./concurrency";
import type { Row } from "./rows";

/** How many cells work on one service: what they make stays there, and each list of it is longer than the one before. */
const batch = 64;
const atOnce = 8;

const isSlow = ({ row }: { readonly row: Row }) => row.effect === "silent" || row.effect === "late";

/** Runs cells of a matrix on services of their own, those that wait for a silence all at once, beside the others. */
export async function runInBatches<Cell extends { readonly row: Row }, Service extends AsyncDisposable>(
  cells: readonly Cell[],
  start: () => Promise<Service>,
  run: (cell: Cell, service: Service) => Promise<void>,
): Promise<void> {
  const runBatch = async (some: readonly Cell[], most: number) => {
    await using service = await start();
    await mapConcurrently(some, most, (cell) => run(cell, service));
  };
  const slow = cells.filter(isSlow);
  const fast = cells.filter((cell) => !isSlow(cell));
  const runFast = async () => {
    for (let at = 0; at < fast.length; at += batch) await runBatch(fast.slice(at, at + batch), atOnce);
  };
  await Promise.all([runBatch(slow, slow.length), runFast()]);
}
