import type { Io } from "./command";

/** The properties of a standard stream that decide the layout. */
interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  hasColors?(): boolean;
}

/** The width of the terminal; undefined if the stream is not a terminal. Some terminals, such as those of CI systems, report 0. */
export const columnsOf = ({ isTTY, columns }: Screen): number | undefined => (isTTY ? columns || 80 : undefined);

/** The width for the layout: that of the terminal, or else the one that the user chose. */
export const layoutWidth = ({ columns, env: { COLUMNS = "" } }: Pick<Io, "columns" | "env">): number | undefined =>
  columns ?? (/^[1-9]\d{0,4}$/.test(COLUMNS) ? Number(COLUMNS) : undefined);

/** Whether the terminal supports cursor movement. */
export const movesCursor = ({ isTTY }: Screen, { TERM }: Io["env"]): boolean => isTTY === true && TERM !== "dumb";

/** Whether text may have colours: by the terminal, and by the convention of https://no-color.org. */
export const showsColours = (screen: Screen, env: Io["env"]): boolean =>
  movesCursor(screen, env) && !env.NO_COLOR && screen.hasColors?.() === true;
