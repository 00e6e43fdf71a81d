import type { ParsedPattern } from "./parse";
import { type Assertion, type Node, PatternError, type Test } from "./syntax";

/** A step of a match. All except `split` and `jump` continue with the next step. */
export type Step =
  | { readonly op: "character"; readonly test: Test }
  | { readonly op: "assertion"; readonly at: Assertion }
  | { readonly op: "save"; readonly slot: number }
  /** Prefers `first`, otherwise `second`. */
  | { readonly op: "split"; first: number; second: number }
  | { readonly op: "jump"; to: number }
  | { readonly op: "match" };

/** The limit for the cost of each character. */
const maxSteps = 10_000;

/** @throws PatternError if the pattern is too large */
export function compilePattern({ node }: ParsedPattern): readonly Step[] {
  const steps: Step[] = [];
  const add = <S extends Step>(step: S): S => {
    if (steps.length >= maxSteps) throw new PatternError("the pattern is too large");
    steps.push(step);
    return step;
  };
  const emit = (part: Node): void => {
    switch (part.kind) {
      case "character":
        add({ op: "character", test: part.test });
        break;
      case "assertion":
        add({ op: "assertion", at: part.at });
        break;
      case "sequence":
        for (const inner of part.nodes) emit(inner);
        break;
      case "group":
        add({ op: "save", slot: part.index * 2 });
        emit(part.node);
        add({ op: "save", slot: part.index * 2 + 1 });
        break;
      case "choice":
        emitChoice(part.nodes);
        break;
      case "repeat":
        emitRepeat(part);
    }
  };
  const emitChoice = (nodes: readonly Node[]): void => {
    const ends = nodes.slice(0, -1).map((inner) => {
      const split = add({ op: "split", first: steps.length + 1, second: 0 });
      emit(inner);
      const end = add({ op: "jump", to: 0 });
      split.second = steps.length;
      return end;
    });
    for (const inner of nodes.slice(-1)) emit(inner);
    for (const end of ends) end.to = steps.length;
  };
  /** Makes the steps up to the call of `leave` optional. */
  const optional = (isLazy: boolean): { leave(): void } => {
    const split = add({ op: "split", first: 0, second: 0 });
    const inside = steps.length;
    return {
      leave() {
        [split.first, split.second] = isLazy ? [steps.length, inside] : [inside, steps.length];
      },
    };
  };
  const emitRepeat = ({ node: inner, min, max, isLazy }: Extract<Node, { readonly kind: "repeat" }>): void => {
    for (let i = 0; i < min; i += 1) emit(inner);
    if (max === Number.POSITIVE_INFINITY) {
      const start = steps.length;
      const loop = optional(isLazy);
      emit(inner);
      add({ op: "jump", to: start });
      loop.leave();
      return;
    }
    const exits = Array.from({ length: max - min }, () => {
      const exit = optional(isLazy);
      emit(inner);
      return exit;
    });
    for (const exit of exits) exit.leave();
  };
  emit(node);
  add({ op: "match" });
  return steps;
}
