import { type LifecycleOperation, lifecycleOperations } from "./lifecycleOperations";
import { canMeet, type Fault, faults, type Row } from "./rows";

export interface LifecycleCell extends Fault {
  readonly operation: LifecycleOperation;
  /** The result of the operation. */
  readonly expected: string;
  /** How many requests met the fault or would have; undefined if the resource decides how often to read. */
  readonly requests: number | undefined;
}

const good: Readonly<Record<string, string>> = {
  POST: "created",
  PUT: "updated",
  DELETE: "deleted",
};

/** The result of a create that may have been carried out. */
function expectUnknownCreate({ name }: LifecycleOperation, { carriedOut }: Row): string {
  // Only a generated name proves that a token is this attempt's.
  return name === "ApiToken: create, generated name" && carriedOut ? "tracked as lost" : "may exist";
}

/** After a 429 a later update creates a deployment's marker; any other refusal is an error. */
const expectRefusedCreate = ({ name }: LifecycleOperation, row: Row): string =>
  name === "DeploymentAnnotation" && row.name.startsWith("status 429") ? "waits" : "failed";

function expectedOf(operation: LifecycleOperation, { row, once }: Fault): Pick<LifecycleCell, "expected" | "requests"> {
  const { name, request } = operation;
  const method = request.split(" ")[0] ?? "";
  const { effect } = row;
  const isGate = name === "QueryGate";
  const isCreate = method === "POST" && !isGate;
  const fine = isGate ? "passed" : name.endsWith("gone") ? "gone" : (good[method] ?? "found");
  if (effect === "fine") return { expected: fine, requests: 1 };
  if (effect === "limited") {
    if (once) return { expected: fine, requests: 2 };
    if (isGate) return { expected: "stopped", requests: undefined };
    if (isCreate) return { expected: expectRefusedCreate(operation, row), requests: row.requests };
    return { expected: "kept", requests: row.requests };
  }
  if (isCreate) {
    return {
      expected: effect === "refused" ? expectRefusedCreate(operation, row) : expectUnknownCreate(operation, row),
      requests: 1,
    };
  }
  if (once) return { expected: fine, requests: 2 };
  const repeated = effect === "lost" || effect === "silent" ? 3 : 1;
  if (isGate)
    return {
      expected: "stopped",
      requests: effect === "refused" && !/^status 4(29|30)/.test(row.name) ? 1 : undefined,
    };
  return { expected: "kept", requests: repeated };
}

/** Every fault with every operation of a resource. */
export const lifecycleCells: readonly LifecycleCell[] = faults.flatMap((fault) =>
  lifecycleOperations
    .filter(({ request }) => canMeet(fault, request))
    .map((operation) => ({ ...fault, operation, ...expectedOf(operation, fault) })),
);
