import type { Command } from "./command";
import { flagsOf, type Manual } from "./manual";
import { manuals } from "./manuals";
import type { shells } from "./manuals/completion";
import { showSource } from "./text";

const program = "pulumi-event-datasets";

/** Each asks the command for the words that can stand at the cursor, or else completes names of files. The one for bash works with bash 3.2, too. */
const scripts: Readonly<Record<(typeof shells)[number], string>> = {
  bash: `_event_datasets() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(${program} __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1)" -- "\${COMP_WORDS[COMP_CWORD]#=}"))
}
complete -o default -F _event_datasets ${program}`,
  zsh: `#compdef ${program}
_event_datasets() {
  local tab=$'\\t'
  local -a found
  found=("\${(@f)$(${program} __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then
    found=("\${(@)found//:/\\\\:}")
    found=("\${(@)found//$tab/:}")
    _describe ${program} found
  else
    _files
  fi
}
if [ "$funcstack[1]" = "_event_datasets" ]; then _event_datasets "$@"; else compdef _event_datasets ${program}; fi`,
  fish: `function __event_datasets
  set -l words (commandline -opc) (commandline -ct)
  ${program} __complete $words[2..] 2>/dev/null
end
complete -c ${program} -f -n 'count (__event_datasets) >/dev/null' -a '(__event_datasets)'`,
};

/** Prints a completion script. */
export const completion: Command = {
  async run(_values, { print }, shell) {
    const source = `# made by "${program} completion ${shell}"`;
    const script = scripts[shell as keyof typeof scripts];
    print(showSource(script.startsWith("#") ? script : `${source}\n${script}`));
    return 0;
  },
};

/**
 * Completes the last of the words that follow the command's name.
 * @returns lines of a word and its meaning, with a tab between; none if it is a name of a file, or not known
 */
export function completeWords(words: readonly string[]): string[] {
  // bash takes --output=json apart at the sign.
  const typed = words.filter((word) => word !== "=");
  const last = words.at(-1) === "=" ? "" : (typed.pop() ?? "");
  const names = Object.keys(manuals);
  const name = names.find((one) => one.split(" ").every((part, at) => typed[at] === part));
  const found =
    name === undefined ? completeName(typed) : completeArgument(manuals[name as keyof typeof manuals], typed);
  return found.filter((line) => line.startsWith(last));
}

const others = { help: "print the help of a command", "--help": "print help", "--version": "print the version" };

/** The next word of the name of a command. */
function completeName(typed: readonly string[]): string[] {
  const all = Object.entries<Manual>(manuals).map(([name, { summary }]) => [name.split(" "), summary] as const);
  const before = typed[0] === "help" ? typed.slice(1) : typed;
  const fitting = all.filter(
    ([parts]) => parts.length > before.length && before.every((word, at) => parts[at] === word),
  );
  const next = fitting.map(([parts, summary]) => [
    parts[before.length] ?? "",
    parts.length === before.length + 1 ? summary : `${parts[before.length]} …`,
  ]);
  const lines = [...new Map(next as [string, string][]), ...(typed.length === 0 ? Object.entries(others) : [])];
  return lines.map((line) => line.join("\t"));
}

function completeArgument(manual: Manual, typed: readonly string[]): string[] {
  if (typed.includes("--")) return [];
  const flags = flagsOf(manual);
  const option = flags[typed.at(-1)?.replace(/^--/, "") ?? ""];
  if (option?.value !== undefined && typed.at(-1)?.startsWith("--")) return [...(option.values ?? [])];
  const options = Object.entries({ ...flags, help: { help: "print this help" } });
  return [...(manual.argument?.values ?? []), ...options.map(([flag, { help }]) => `--${flag}\t${help}`)];
}
