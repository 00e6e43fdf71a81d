import { type AuditedAccount, accountOf } from "../audit/account";
import { EventDatasets, fromEnvironment, requireSettings, type TransportOptions } from "../sdk";
import { clockTolerance } from "../values/instant";
import type { Io } from "./command";
import { startProgress } from "./progress";
import { makeVisible, say } from "./text";

/**
 * The client of every command. Unless `watch` is undefined, it shows that it is waiting for a response. Its settings come only
 * from the environment, because other users can see options.
 * @throws Error that names every variable that is missing or unusable
 */
export function connect(
  { env, warn, progress }: Pick<Io, "env" | "warn" | "progress">,
  options: TransportOptions = {},
): EventDatasets {
  const watch = progress && ((call: string) => startProgress(say`waiting for ${call}`, progress));
  return new EventDatasets({
    settings: settingsOf(env),
    inform: (text) => warn(makeVisible(text)),
    watch,
    ...options,
  });
}

/** The account that a command works with, as the provider records it. */
export function presentAccount(env: Io["env"]): AuditedAccount {
  return accountOf(settingsOf(env));
}

/**
 * Whether the access token is an API token of the account, according to the form of its secret. A complete list then contains
 * it.
 */
export const usesToken = (env: Io["env"]): boolean => settingsOf(env).accessToken.startsWith("xaat-");

/**
 * @throws Error if the clock of the service, according to its responses, and this machine's differ: one of them is wrong, and it
 *   is not known which
 */
export function requireSameClock({ clock, baseUrl }: EventDatasets): void {
  const offset = clock.offset() ?? 0;
  if (Math.abs(offset) <= clockTolerance) return;
  const seconds = Math.round(Math.abs(offset) / 1000);
  throw new Error(
    `the clock of ${baseUrl} is ${seconds} s ${offset > 0 ? "ahead of" : "behind"} this machine's, so expiries cannot be checked: set this machine's clock. Nothing was audited.`,
  );
}

const settingsOf = (env: Io["env"]) => requireSettings([fromEnvironment({ ...env })]);
