import type { State } from "./state";

/** A part of the page. */
export interface View {
  readonly content: HTMLElement;
  /** Shows what has changed. */
  update(state: State): void;
  /** It can be seen from now on. */
  open?(): void;
}
