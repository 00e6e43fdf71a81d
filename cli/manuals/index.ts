import type { Manual } from "../manual";
import { annotate } from "./annotate";
import { audit } from "./audit";
import { completion } from "./completion";
import { doctor } from "./doctor";
import { gate } from "./gate";
import { open } from "./open";
import { query } from "./query";
import { recover } from "./recover";
import { adoptTokens, findTokens, listTokens, revokeTokens, showToken } from "./tokens";

/** Every command, in the order of the list of commands. */
export const manuals = {
  audit,
  "tokens list": listTokens,
  "tokens show": showToken,
  "tokens adopt": adoptTokens,
  "tokens find": findTokens,
  "tokens revoke": revokeTokens,
  annotate,
  gate,
  query,
  recover,
  doctor,
  open,
  completion,
} as const satisfies Readonly<Record<string, Manual>>;

export { overview } from "./overview";

export type CommandName = keyof typeof manuals;
