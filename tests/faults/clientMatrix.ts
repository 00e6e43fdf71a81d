import { type ClientOperationName, clientOperationNames, clientOperations, type Kind } from "./clientOperations";
import { canMeet, type Effect, type Fault, faults } from "./rows";

/** The result of a call and the number of its requests. */
export interface Ending {
  /** `returned`, or the outcome of the error. */
  readonly how: "returned" | "not sent" | "refused" | "unknown";
  readonly requests: number;
}

export interface Cell extends Fault {
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

function expectedOf({ row: { effect, carriedOut, requests }, once }: Fault, kind: Kind): Ending {
  // A refusal has no effect, so a create may be sent again, too.
  if (effect === "limited") return once ? endingOf("returned", 2) : endingOf("refused", requests ?? 1);
  if (!once || effect !== "lost" || kind === "create") return always[effect][kind];
  // The second request finds that the object is gone; the first one can have deleted it.
  return kind === "delete" && carriedOut ? endingOf("unknown", 2) : endingOf("returned", 2);
}

/** Every fault with every operation of the client. */
export const clientCells: readonly Cell[] = faults.flatMap((fault) =>
  clientOperationNames
    .filter((name) => canMeet(fault, clientOperations[name].line))
    .map((operation) => ({ ...fault, operation, expected: expectedOf(fault, clientOperations[operation].kind) })),
);
