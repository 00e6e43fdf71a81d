import { type Flag, flagsOf, type Manual } from "../manual";
import { fishWord } from "../shell";
import { commands } from "./words";

const program = "pulumi-event-datasets";

function lineOf(command: string, name: string, { help, value, values, names }: Flag): string {
  const after = value === undefined ? "" : values ? ` -x -a ${fishWord(values.join(" "))}` : names ? " -r -F" : " -x";
  return `complete -c ${program} -n ${fishWord(`__fish_seen_subcommand_from ${command}`)} -l ${name}${after} -d ${fishWord(help)}`;
}

function linesOf([command, manual]: readonly [string, Manual]): string[] {
  const seen = fishWord(`__fish_seen_subcommand_from ${command}`);
  const { argument } = manual;
  return [
    `complete -c ${program} -n __fish_use_subcommand -a ${command} -d ${fishWord(manual.summary)}`,
    ...(argument?.values ? [`complete -c ${program} -n ${seen} -a ${fishWord(argument.values.join(" "))}`] : []),
    ...(argument?.names === "file" ? [`complete -c ${program} -n ${seen} -F`] : []),
    ...Object.entries(flagsOf(manual)).map(([name, flag]) => lineOf(command, name, flag)),
    `complete -c ${program} -n ${seen} -l help -s h -d 'prints this'`,
  ];
}

/** To be put into `~/.config/fish/completions/pulumi-event-datasets.fish`. */
export const fish = (): string =>
  [
    `# fish completion for ${program}; made by "${program} completion fish"`,
    `complete -c ${program} -f`,
    `complete -c ${program} -n __fish_use_subcommand -a help -d 'what a command does'`,
    `complete -c ${program} -n __fish_use_subcommand -l version -d 'prints the version'`,
    ...commands.flatMap(linesOf),
    `complete -c ${program} -n '__fish_seen_subcommand_from help' -a ${fishWord(commands.map(([name]) => name).join(" "))}`,
  ].join("\n");
