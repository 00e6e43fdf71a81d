import type { Ending } from "./child";
import type { Line, Printable } from "./text";

/** The options as they were given. */
export type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

/** What a command may use of the process. */
export interface Io {
  /** A part of the result, for standard output, where it ends its line. */
  readonly print: (text: Printable) => void;
  /** A line for the user's eyes, for standard error. */
  readonly warn: (line: Line) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** All of standard input, as text. */
  readonly readInput: () => Promise<string>;
  /** The user's answer to a question; undefined if there is nobody to ask: standard input or error is no terminal. */
  readonly ask?: ((question: Line) => Promise<string>) | undefined;
  /** Width of the terminal that standard output is; undefined if it is none. */
  readonly columns: number | undefined;
  /** Whether standard output shows colours. */
  readonly colours: boolean;
  /** Shows a text on standard error in place of the one before; undefined if that is no terminal. */
  readonly progress: ((text: Line) => void) | undefined;
  /** Resolves at the first SIGINT or SIGTERM. A command that does not ask for it is ended by them. */
  readonly stopped: () => Promise<void>;
}

export interface Command {
  /**
   * Resolves to the exit code: 0 clean, 1 findings, 2 could not tell. The signal of a command that was run ends us too.
   * @throws Error whose message is all that the user gets to see; the exit code is 2 then
   */
  readonly run: (values: Values, io: Io, argument: string | undefined, command?: readonly string[]) => Promise<Ending>;
  /** Removes results of earlier runs when this run fails, also where its own options are the reason. Default: nothing. */
  readonly abandon?: (values: Values, io: Pick<Io, "env">) => Promise<void>;
}

/** An option's text. An empty one counts as not given. */
export function textOf(values: Values, option: string): string | undefined {
  const value = values[option];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The texts of an option that can be given several times. */
export function textsOf(values: Values, option: string): string[] {
  const value = values[option];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string" && one !== "").map(String) : [];
}
