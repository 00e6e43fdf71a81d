import { loadEmulator } from "../testing/emulatorPackage";
import type { Command } from "./command";
import { withProgress } from "./progress";
import { exactSecret, say } from "./text";

/** Runs the emulator, a separate package, until a signal arrives. */
export const serve: Command = {
  async run(values, { print, warn, env, stopped, progress }) {
    const emulator = await loadEmulator("pulumi-event-datasets serve", () => import("event-datasets-emulator"));
    await emulator.serve(values, {
      // Its own words, and the root token: they must be exact.
      print: (line) => print(exactSecret(line)),
      warn: (line) => warn(say`${line}`),
      env,
      stopped,
      progress: (words, work) => withProgress(say`${words}`, progress, work),
    });
    return 0;
  },
};
