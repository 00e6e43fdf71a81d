import type { Io } from "./command";

/** What decides how text is laid out on a standard stream. */
interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  hasColors?(): boolean;
}

/** The width of the terminal; undefined if the stream is none. Some terminals, such as those of CI systems, say 0. */
export const columnsOf = ({ isTTY, columns }: Screen): number | undefined => (isTTY ? columns || 80 : undefined);

/** The width to lay text out for: the terminal's, or the one that the user chose where there is none. */
export const layoutWidth = ({ columns, env: { COLUMNS = "" } }: Pick<Io, "columns" | "env">): number | undefined =>
  columns ?? (/^[1-9]\d{0,4}$/.test(COLUMNS) ? Number(COLUMNS) : undefined);

/** Whether the stream's terminal moves the cursor when it is told to. */
export const movesCursor = ({ isTTY }: Screen, { TERM }: Io["env"]): boolean => isTTY === true && TERM !== "dumb";

/** Whether text may have colours: by the terminal, and by the convention of https://no-color.org. */
export const showsColours = (screen: Screen, env: Io["env"]): boolean =>
  movesCursor(screen, env) && !env.NO_COLOR && screen.hasColors?.() === true;
