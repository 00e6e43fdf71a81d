import type { Ending } from "./child";
import type { Flag, Manual } from "./manual";
import type { CommandName, manuals } from "./manuals";
import type { Line, Printable } from "./text";

/** The options of a command as they were given, typed by its manual. An empty text counts as missing, and is an error. */
export type Values<N extends CommandName> = ValuesOf<(typeof manuals)[N]["flags"]>;

/** The values of options, typed by the definitions of the options. */
export type ValuesOf<Flags extends Manual["flags"]> = { readonly [F in keyof Flags]: ValueOf<Flags[F]> };

type ValueOf<F extends Flag> = F extends { readonly value: string }
  ? F extends { readonly multiple: true }
    ? readonly string[]
    : TextOf<F> | (F extends { readonly preset: string } ? never : undefined)
  : boolean;

type TextOf<F extends Flag> = F extends { readonly values: readonly (infer Text)[] } ? Text : string;

/** The parts of the process that a command may use. */
export interface Io {
  /** Prints a line of the result to standard output. */
  readonly print: (text: Printable) => void;
  /** @throws Error unless everything was printed */
  readonly flush: () => Promise<void>;
  /** False after a write to standard output failed: its reader is gone, so no further requests are needed. */
  readonly canPrint: () => boolean;
  /** Prints a message to standard error. */
  readonly warn: (line: Line) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Reads all of standard input, as text. */
  readonly readInput: () => Promise<string>;
  /** Asks the user a question; undefined if standard input or standard error is not a terminal. */
  readonly ask?: ((question: Line) => Promise<string>) | undefined;
  /** Width of the terminal; undefined if standard output is not a terminal. */
  readonly columns: number | undefined;
  /** Whether standard output shows colours. */
  readonly colours: boolean;
  /** Replaces the progress line on standard error; undefined unless this is a terminal that can move its cursor. */
  readonly progress: ((text: Line) => void) | undefined;
}

export interface Command<N extends CommandName> {
  /**
   * Resolves to the exit code (0 clean, 1 findings, 2 could not check), or to the exit code of a child command, or to the signal
   * that ended the child.
   * @throws Error whose message is shown to the user; the exit code is 2
   */
  readonly run: (
    values: Values<N>,
    io: Io,
    argument: string | undefined,
    command?: readonly string[],
  ) => Promise<Ending>;
  /** Removes the results of earlier runs, before anything else and even if an option is invalid. Default: nothing. */
  readonly prepare?: (values: Values<N>, io: Pick<Io, "env">) => Promise<void>;
}
