import type { State } from "./state";

/** A part of the page. */
export interface View {
  readonly content: HTMLElement;
  /** Shows the new state. */
  update(state: State): void;
  /** Called when the view becomes visible. */
  open?(): void;
}
