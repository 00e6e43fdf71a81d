import type { Command, Io } from "./command";
import { flagsOf, type Manual, program } from "./manual";
import { manuals } from "./manuals";
import type { shells } from "./manuals/tools";
import { showSource } from "./text";

const ask = `"${program} __complete"`;

/** Each asks the command for the words that can stand at the cursor, or else completes names of files. */
const scripts: Readonly<Record<(typeof shells)[number], string>> = {
  bash: `complete -o default -C ${ask} ${program}`,
  zsh: `autoload -U +X bashcompinit && bashcompinit\ncomplete -o default -C ${ask} ${program}`,
  fish: `complete --command ${program} --no-files --arguments '(env COMP_LINE=(commandline -cp | string collect) ${program} __complete | string match -r ".+"; or __fish_complete_path (commandline -ct))'`,
};

/** Prints a completion script. */
export const completion: Command<"completion"> = {
  async run(_values, { print }, shell) {
    print(showSource(scripts[shell as keyof typeof scripts]));
    return 0;
  },
};

/**
 * Completes the last word of the line that a shell passes in the environment. The result is empty if the word is a file name,
 * or unknown.
 */
export function completeLine({ COMP_LINE = "", COMP_POINT }: Io["env"]): string[] {
  // bash completes the value in --output=json by itself, without the option.
  const [, ...typed] = COMP_LINE.slice(0, Number(COMP_POINT ?? COMP_LINE.length)).split(/[ =]+/);
  const last = typed.pop() ?? "";
  const name = Object.keys(manuals).find((one) => one.split(" ").every((part, at) => typed[at] === part));
  const found =
    name === undefined ? completeName(typed) : completeArgument(manuals[name as keyof typeof manuals], typed);
  return found.filter((word) => word.startsWith(last));
}

/** The next word of the name of a command. */
function completeName(typed: readonly string[]): string[] {
  const before = typed[0] === "help" ? typed.slice(1) : typed;
  const names = Object.keys(manuals).map((name) => name.split(" "));
  const next = names
    .filter((parts) => before.every((word, at) => parts[at] === word))
    .map((parts) => parts[before.length]);
  const others = typed.length === 0 ? ["help", "--help", "--version"] : [];
  return [...new Set([...next, ...others])].filter((word) => word !== undefined);
}

function completeArgument(manual: Manual, typed: readonly string[]): readonly string[] {
  if (typed.includes("--")) return [];
  const flags = flagsOf(manual);
  const option = flags[typed.at(-1)?.replace(/^--/, "") ?? ""];
  if (option?.value !== undefined && typed.at(-1)?.startsWith("--")) return option.values ?? [];
  return [...(manual.argument?.values ?? []), ...Object.keys(flags).map((flag) => `--${flag}`)];
}
