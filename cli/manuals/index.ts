import type { Manual } from "../manual";
import { audit, recover } from "./audit";
import { annotate, gate, query } from "./service";
import { adoptTokens, findTokens, listTokens, revokeTokens, showToken } from "./tokens";
import { completion, doctor, open } from "./tools";

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
