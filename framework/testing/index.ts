import type { Provider } from "../provider";
import type { Command } from "./program";
import { type Played, Stack, type StackOptions } from "./stack";

/**
 * The engine in memory: it plays programs of a provider against its service, in either form, in a fraction of the time that the real
 * engine needs, with the same calls of the same hooks.
 *
 * ```ts
 * const [created, replaced] = await play(toy, [
 *   { command: "up", program: { visits: { type: "Counter", args: { start: 3 } } } },
 *   { command: "up", program: { visits: { type: "Counter", args: { start: 4 } } } },
 *   { command: "destroy" },
 * ], { form: "dynamic", settings: { default: { address, password } } });
 * ```
 *
 * A function among the steps runs between two commands, for example to change something at the service. A test that looks at the
 * stack between commands uses a `Stack`.
 *
 * It does as the real engine does in the order of calls and in what it passes to them, unknown values of a preview, deletions at the
 * end, `--target`, `--exclude`, `--replace`, `--refresh`, `--continue-on-error`, `deleteBeforeReplace` with its dependents, failed
 * creates that left an object behind, the hook `onError`, remediations of policy packs, and in what is left when the engine is killed. A test of this repository
 * plays the same random programs on both and compares the calls. It has no components, `import`, `protect`, transforms
 * and parallel operations. The program's own classes do not run: a test of those needs the real engine.
 */
export async function play(
  provider: Provider,
  steps: readonly (Command | (() => unknown))[],
  options: StackOptions,
): Promise<readonly Played[]> {
  const stack = new Stack(provider, options);
  const played: Played[] = [];
  for (const step of steps) {
    if (typeof step === "function") await step();
    else played.push(await stack.run(step));
  }
  return played;
}

export {
  type Command,
  type Declared,
  type Options,
  outputOf,
  type Program,
  type Selection,
  type Settings,
  secret,
  unknown,
} from "./program";
export { type Form, type Played, Stack, type StackOptions } from "./stack";
export type { Recorded } from "./state";
