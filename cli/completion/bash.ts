import { flagsOf } from "../manual";
import { shellWord } from "../shell";
import { commands, optionsOf } from "./words";

/** Branches that complete files, folders or known values after an option, one for each command and option. */
const listValueBranches = (): string[] =>
  commands.flatMap(([command, manual]) =>
    Object.entries(flagsOf(manual))
      .filter(([, { value }]) => value !== undefined)
      .map(([flag, { values, names }]) => {
        const reply = values ? `words ${shellWord(values.join(" "))}` : names ? `files ${names}` : "true";
        return `    ${command}:--${flag}) _event_datasets_${reply}; return ;;`;
      }),
  );

const listWordBranches = (): string[] =>
  commands.map(([command, manual]) => {
    const own = [...(manual.argument?.values ?? []), ...optionsOf(manual)].join(" ");
    const files = manual.argument?.names === "file" ? "; _event_datasets_files file" : "";
    return `    ${command}) _event_datasets_words ${shellWord(own)}${files} ;;`;
  });

const names = [...commands.map(([name]) => name), "help", "--help", "--version"].join(" ");

/** Works with bash 3.2, which macOS has, too. */
export const bash = (): string => `# bash completion for event-datasets; made by "pulumi-event-datasets completion bash"
_event_datasets_true() { :; }
_event_datasets_words() { COMPREPLY+=($(compgen -W "$1" -- "$cur")); }
_event_datasets_files() {
  compopt -o filenames 2>/dev/null
  local IFS=$'\\n'
  if [ "$1" = folder ]; then COMPREPLY+=($(compgen -d -- "$cur")); else COMPREPLY+=($(compgen -f -- "$cur")); fi
}
_event_datasets() {
  local cur=\${COMP_WORDS[COMP_CWORD]} flag=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} at
  COMPREPLY=()
  # bash takes --output=json apart at the sign.
  if [ "$cur" = "=" ]; then cur=
  elif [ "$flag" = "=" ]; then flag=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  if [ "$COMP_CWORD" -eq 1 ]; then _event_datasets_words ${shellWord(names)}; return; fi
  # What follows "--" is another command's.
  for ((at = 2; at < COMP_CWORD; at++)); do
    if [ "\${COMP_WORDS[at]}" = "--" ]; then COMPREPLY=($(compgen -f -- "$cur")); return; fi
  done
  case "$command:$flag" in
${listValueBranches().join("\n")}
  esac
  case "$command" in
${listWordBranches().join("\n")}
    help) _event_datasets_words ${shellWord(commands.map(([name]) => name).join(" "))} ;;
  esac
}
complete -F _event_datasets pulumi-event-datasets`;
