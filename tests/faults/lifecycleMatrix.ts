import { type LifecycleOperation, lifecycleOperations } from "./lifecycleOperations";
import { onceRows, type Row, rows } from "./rows";

export interface LifecycleCell {
  readonly row: Row;
  readonly once: boolean;
  readonly operation: LifecycleOperation;
  /** How the operation ends. */
  readonly expected: string;
  /** How many requests met the fault or would have; undefined where the resource repeats a read as it sees fit. */
  readonly requests: number | undefined;
}

const good: Readonly<Record<string, string>> = {
  POST: "created",
  PUT: "updated",
  DELETE: "deleted",
};

/** What a create comes to that may have been carried out. */
function unanswered({ name }: LifecycleOperation, { carriedOut }: Row): string {
  // Only a generated name proves that a token is this attempt's.
  return name === "ApiToken: create, generated name" && carriedOut ? "tracked as lost" : "may exist";
}

function expectedOf(
  operation: LifecycleOperation,
  row: Row,
  once: boolean,
): Pick<LifecycleCell, "expected" | "requests"> {
  const { name, request } = operation;
  const method = request.split(" ")[0] ?? "";
  const { effect } = row;
  const isGate = name === "QueryGate";
  const fine = isGate ? "passed" : name.endsWith("gone") ? "gone" : (good[method] ?? "found");
  if (effect === "fine") return { expected: fine, requests: 1 };
  if (method === "POST" && !isGate) {
    return { expected: effect === "refused" ? "failed" : unanswered(operation, row), requests: 1 };
  }
  if (once) return { expected: fine, requests: 2 };
  const repeated = effect === "lost" || effect === "silent" ? 3 : 1;
  if (isGate)
    return { expected: "stopped", requests: effect === "refused" && row.name !== "status 430" ? 1 : undefined };
  return { expected: "kept", requests: repeated };
}

const cellsOf = (some: readonly Row[], once: boolean): LifecycleCell[] =>
  some.flatMap((row) =>
    lifecycleOperations
      .filter(({ withoutBody }) => !(row.needsBody && withoutBody))
      .map((operation) => ({ row, once, operation, ...expectedOf(operation, row, once) })),
  );

/** Every fault that a request can meet, for what resources do. */
export const lifecycleCells: readonly LifecycleCell[] = [...cellsOf(rows, false), ...cellsOf(onceRows, true)];
