import { EventDatasets, fromEnvironment, requireSettings, type TransportOptions } from "../sdk";
import type { Io } from "./command";

/**
 * The client of every command. The environment is all that a command is set by: an option could be read by others.
 * @throws Error that names every variable that is missing or unusable
 */
export function connect({ env, warn }: Pick<Io, "env" | "warn">, options: TransportOptions = {}): EventDatasets {
  return EventDatasets.fromSettings(requireSettings([fromEnvironment({ ...env })]), { inform: warn, ...options });
}
