import { type Flag, flagsOf, type Manual } from "../manual";
import { shellWord } from "../shell";
import { commands } from "./words";

/** One option as `_arguments` takes it: `*--state[help]:file:_files`. */
function specOf(name: string, { help, value, multiple, values, names }: Flag): string {
  const action = values
    ? `(${values.join(" ")})`
    : names === "folder"
      ? "_files -/"
      : names === "file"
        ? "_files"
        : " ";
  const argument = value === undefined ? "" : `:${value.replace(/[[\]=]/g, " ")}:${action}`;
  return shellWord(
    `${multiple ? "*" : ""}--${name}${value === undefined ? "" : "="}[${help.replace(/[\\[\]]/g, "\\$&")}]${argument}`,
  );
}

function argumentOf({ argument, takesCommand }: Manual): string[] {
  if (takesCommand) return [shellWord("*:: :_normal")];
  if (!argument) return [];
  const action = argument.values ? `(${argument.values.join(" ")})` : argument.names === "file" ? "_files" : " ";
  return [shellWord(`1:${argument.name}:${action}`)];
}

const listBranches = (): string[] =>
  commands.map(([name, manual]) => {
    const specs = Object.entries(flagsOf(manual)).map(([flag, about]) => specOf(flag, about));
    const all = [...specs, `${shellWord("(- *)")}{-h,--help}${shellWord("[prints this]")}`, ...argumentOf(manual)];
    return `    ${name}) _arguments ${all.join(" ")} ;;`;
  });

/** To be sourced after `compinit`, or put into a folder of `fpath` as `_event-datasets`. */
export const zsh = (): string => `#compdef pulumi-event-datasets
# zsh completion for event-datasets; made by "pulumi-event-datasets completion zsh"
_event_datasets() {
  local -a names
  names=(${[...commands.map(([name, { summary }]) => shellWord(`${name}:${summary}`)), shellWord("help:what a command does")].join(" ")})
  if (( CURRENT == 2 )); then
    _describe command names
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${listBranches().join("\n")}
    help) _describe command names ;;
  esac
}
if [ "$funcstack[1]" = "_event_datasets" ]; then _event_datasets "$@"; else compdef _event_datasets pulumi-event-datasets; fi`;
