import type { Manual } from "../manual";
import { annotate } from "./annotate";
import { annotations } from "./annotations";
import { audit } from "./audit";
import { comment } from "./comment";
import { completion } from "./completion";
import { doctor } from "./doctor";
import { open } from "./open";
import { query } from "./query";
import { recover } from "./recover";
import { serve } from "./serve";
import { tokens } from "./tokens";

/** Every command, in the order of the list of commands. */
export const manuals = {
  audit,
  annotate,
  query,
  tokens,
  annotations,
  comment,
  open,
  recover,
  doctor,
  serve,
  completion,
} as const satisfies Readonly<Record<string, Manual>>;

export { overview } from "./overview";

export type CommandName = keyof typeof manuals;
