import { type ClientOperationName, clientOperationNames, clientOperations, type Kind } from "./clientOperations";
import { type LifecycleOperation, lifecycleOperations } from "./lifecycleOperations";
import { canMeet, type Effect, type Fault, faults, type Row } from "./rows";

/** The result of a call and the number of its requests. */
interface Ending {
  /** `returned`, or the outcome of the error. */
  readonly how: "returned" | "not sent" | "refused" | "unknown";
  readonly requests: number;
}

export interface ClientCell extends Fault {
  readonly operation: ClientOperationName;
  readonly expected: Ending;
}

const endingOf = (how: Ending["how"], requests: number): Ending => ({ how, requests });

const unknownOnce = endingOf("unknown", 1);
const unknownThrice = endingOf("unknown", 3);

/** The result if every request meets the fault. A create that may have arrived is not sent again. */
const always: Readonly<Record<Effect, Readonly<Record<Kind, Ending>>>> = {
  fine: forEveryKind(endingOf("returned", 1)),
  refused: forEveryKind(endingOf("refused", 1)),
  limited: forEveryKind(endingOf("refused", 1)),
  unusable: forEveryKind(unknownOnce),
  late: forEveryKind(unknownOnce),
  // A query may compute until its deadline before it responds.
  silent: { create: unknownOnce, repeatable: unknownThrice, delete: unknownThrice, query: unknownOnce },
  lost: { create: unknownOnce, repeatable: unknownThrice, delete: unknownThrice, query: unknownThrice },
};

function forEveryKind(one: Ending): Readonly<Record<Kind, Ending>> {
  return { create: one, repeatable: one, delete: one, query: one };
}

function expectedCall({ row, once }: Fault, kind: Kind): Ending {
  const { effect, carriedOut } = row;
  const requests = kind === "query" ? row.queryRequests : row.requests;
  // A refusal has no effect, so a create may be sent again, too.
  if (effect === "limited") return once ? endingOf("returned", 2) : endingOf("refused", requests ?? 1);
  if (!once || effect !== "lost" || kind === "create") return always[effect][kind];
  // The second request finds that the object is gone; the first one can have deleted it.
  return kind === "delete" && carriedOut ? endingOf("unknown", 2) : endingOf("returned", 2);
}

/** Every fault with every operation of the client. */
export const clientCells: readonly ClientCell[] = faults.flatMap((fault) =>
  clientOperationNames
    .filter((name) => canMeet(fault, clientOperations[name].line))
    .map((operation) => ({ ...fault, operation, expected: expectedCall(fault, clientOperations[operation].kind) })),
);

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
  // Only a generated name proves that an object is this attempt's. A dataset has no secret that could be lost.
  if (name === "Dataset: create, generated name" && carriedOut) return "created";
  return name === "ApiToken: create, generated name" && carriedOut ? "tracked as lost" : "may exist";
}

/** After a 429 a deployment goes on without its annotation; any other refusal is an error. */
const expectRefusedCreate = ({ name }: LifecycleOperation, row: Row): string =>
  name === "DeploymentAnnotation" && row.name.startsWith("status 429") ? "skipped" : "failed";

function expectedOperation(
  operation: LifecycleOperation,
  { row, once }: Fault,
): Pick<LifecycleCell, "expected" | "requests"> {
  const { name, request } = operation;
  const method = request.split(" ")[0] ?? "";
  const { effect } = row;
  const isGate = name === "QueryGate";
  const isCreate = method === "POST" && !isGate;
  // Without a list, a token is looked up by its id.
  const kept = name === "ApiToken: read in the list" ? "found" : "kept";
  const fine = isGate ? "passed" : name.endsWith("gone") ? "gone" : (good[method] ?? "found");
  // The connection can be that of an earlier request of the same hook.
  if (effect === "fine") return { expected: fine, requests: name === "Dataset: delete" ? undefined : 1 };
  if (effect === "limited") {
    if (once) return { expected: fine, requests: 2 };
    if (isGate) return { expected: "stopped", requests: undefined };
    if (isCreate) return { expected: expectRefusedCreate(operation, row), requests: row.requests };
    return { expected: kept, requests: row.requests };
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
  return { expected: kept, requests: repeated };
}

/** Every fault with every operation of a resource. */
export const lifecycleCells: readonly LifecycleCell[] = faults.flatMap((fault) =>
  lifecycleOperations
    .filter(({ request }) => canMeet(fault, request))
    .map((operation) => ({ ...fault, operation, ...expectedOperation(operation, fault) })),
);
