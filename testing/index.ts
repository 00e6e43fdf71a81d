import type { Emulator, EmulatorOptions } from "event-datasets-emulator/testing";
import { loadEmulator } from "./emulatorPackage";

export type { Emulator, EmulatorOptions } from "event-datasets-emulator/testing";

/**
 * Starts the service for a test, on loopback and on any free port, with its data in a temporary folder. Works with any
 * test runner. Needs the package `event-datasets-emulator`.
 * @throws Error if that is not installed, or if a dataset cannot be taken in
 *
 * @example
 * ```ts
 * test("a token is made", async () => {
 *   await using emulator = await startEmulator({ datasets: { web: [{ _time: "2030-01-01T00:00:00Z", status: 500 }] } });
 *   const { baseUrl, accessToken } = emulator;
 *   await using client = new EventDatasets({ baseUrl, accessToken });
 *   await client.tokens.create({ name: "ci" });
 *   expect(emulator.tokens.list()).toMatchObject([{ name: "ci" }]);
 * });
 * ```
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const load = () => import("event-datasets-emulator/testing");
  const { startEmulator: start } = await loadEmulator("pulumi-event-datasets/testing", load);
  return start(options);
}
