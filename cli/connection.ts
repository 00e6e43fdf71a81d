import { type AuditedAccount, accountOf } from "../audit/account";
import { EventDatasets, fromEnvironment, requireSettings, type TransportOptions } from "../sdk";
import type { Io } from "./command";
import { startProgress } from "./progress";
import { makeVisible, say } from "./text";

/**
 * The client of every command, which shows that it waits for an answer. The environment is all that a command is set by: an
 * option could be read by others.
 * @throws Error that names every variable that is missing or unusable
 */
export function connect(
  { env, warn, progress }: Pick<Io, "env" | "warn" | "progress">,
  options: TransportOptions = {},
): EventDatasets {
  const watch = progress && ((call: string) => startProgress(say`waiting for ${call}`, progress));
  return EventDatasets.fromSettings(settingsOf(env), { inform: (text) => warn(makeVisible(text)), watch, ...options });
}

/** The account that a command works with, as the provider records it. */
export function presentAccount(env: Io["env"]): AuditedAccount {
  return accountOf(settingsOf(env));
}

const settingsOf = (env: Io["env"]) => requireSettings([fromEnvironment({ ...env })]);
