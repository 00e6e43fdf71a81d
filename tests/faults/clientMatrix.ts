import { type ClientOperationName, clientOperationNames, clientOperations, type Kind } from "./clientOperations";
import { type Effect, onceRows, type Row, rows } from "./rows";

/** How a call ends, and after how many requests. */
export interface Ending {
  /** `answered`, or the outcome of the error. */
  readonly how: "answered" | "not sent" | "refused" | "unknown";
  readonly requests: number;
}

export interface Cell {
  readonly row: Row;
  /** Only the first request meets the fault. */
  readonly once: boolean;
  readonly operation: ClientOperationName;
  readonly expected: Ending;
}

const ending = (how: Ending["how"], requests: number): Ending => ({ how, requests });

const unknownOnce = ending("unknown", 1);
const unknownThrice = ending("unknown", 3);

/** How a call ends if every request meets the fault: a create that may have arrived is not sent again. */
const always: Readonly<Record<Effect, Readonly<Record<Kind, Ending>>>> = {
  fine: each(ending("answered", 1)),
  refused: each(ending("refused", 1)),
  limited: each(ending("refused", 1)),
  unusable: each(unknownOnce),
  late: each(unknownOnce),
  // A query may compute for all of its time before it answers.
  silent: { create: unknownOnce, repeatable: unknownThrice, delete: unknownThrice, query: unknownOnce },
  lost: { create: unknownOnce, repeatable: unknownThrice, delete: unknownThrice, query: unknownThrice },
};

function each(one: Ending): Readonly<Record<Kind, Ending>> {
  return { create: one, repeatable: one, delete: one, query: one };
}

function expectedOf({ effect, carriedOut, requests }: Row, once: boolean, kind: Kind): Ending {
  // A refusal has no effect, so a create may be sent again, too.
  if (effect === "limited") return once ? ending("answered", 2) : ending("refused", requests ?? 1);
  if (!once || effect !== "lost" || kind === "create") return always[effect][kind];
  // The second request finds that the object is gone.
  return kind === "delete" && carriedOut ? ending("refused", 2) : ending("answered", 2);
}

const cellsOf = (some: readonly Row[], once: boolean): Cell[] =>
  some.flatMap((row) =>
    clientOperationNames
      .filter((name) => !(row.needsBody && clientOperations[name].kind === "delete"))
      .map((operation) => ({
        row,
        once,
        operation,
        expected: expectedOf(row, once, clientOperations[operation].kind),
      })),
  );

/** Every fault that a request can meet, for every operation of the client. */
export const clientCells: readonly Cell[] = [...cellsOf(rows, false), ...cellsOf(onceRows, true)];
