import { version } from "../sdk/version";
import { requireNode } from "../values/nodeVersion";
import { readArguments } from "./arguments";
import type { Ending } from "./child";
import type { Command, Io } from "./command";
import { commandHelp, generalHelp, groupHelp } from "./help";
import { checkArgument, type Manual, suggestAndPoint } from "./manual";
import type { CommandName } from "./manuals";
import { layoutWidth } from "./terminal";
import { makeLinesVisible, makeVisible, showSource } from "./text";

/** Commands load when they run: each has its own dependencies, and the Node version is checked before. */
const commands: Readonly<Record<CommandName, () => Promise<Command>>> = {
  audit: async () => (await import("./audit.js")).audit,
  "tokens list": async () => (await import("./tokens/list.js")).listTokens,
  "tokens adopt": async () => (await import("./tokens/adopt.js")).adoptTokens,
  "tokens find": async () => (await import("./tokens/find.js")).findTokens,
  "tokens revoke": async () => (await import("./tokens/revoke.js")).revokeTokens,
  annotate: async () => (await import("./annotate.js")).annotate,
  query: async () => (await import("./query.js")).query,
  recover: async () => (await import("./recover.js")).recover,
  doctor: async () => (await import("./doctor.js")).doctor,
  open: async () => (await import("./open.js")).open,
  completion: async () => (await import("./completion.js")).completion,
};

/** Words that are not commands. */
const others = ["help", "--help", "--version"];

/** One call of the command line. */
export class CommandLine {
  readonly #args: readonly string[];
  readonly #io: Io;
  /** Removes results of earlier runs if the command fails. */
  #abandon: () => Promise<void> = async () => undefined;

  constructor(args: readonly string[], io: Io) {
    this.#args = args;
    this.#io = io;
  }

  /** @throws Error whose message is all that the user gets to see: for `giveUp` */
  async run(): Promise<Ending> {
    requireNode();
    const [first, ...words] = this.#args;
    if (first === undefined) {
      await this.#help([]);
      return 2; // a CI job whose command got lost did not succeed
    }
    if (first === "__complete") await this.#complete(words);
    else if (first === "--version" || first === "-V") this.#io.print(makeVisible(version));
    else if (isHelp(first) || first === "help") await this.#help(first === "help" ? words : []);
    else {
      const { name, rest } = findCommand(this.#args);
      if (name !== undefined) return await this.#command(name, rest);
      await this.#help([first]);
      // A group of commands is not a command: the rest of the line may have got lost.
      return isHelp(words[0]) ? 0 : 2;
    }
    return 0;
  }

  /** Prints a failure, removes old results and returns exit code 2: could not tell. */
  async giveUp(failure: Error): Promise<void> {
    const hasReader = (failure.cause as NodeJS.ErrnoException | undefined)?.code !== "EPIPE";
    if (hasReader) this.#io.warn(makeVisible(failure.message));
    await this.#abandon().catch((reason: Error) => this.#io.warn(makeVisible(reason.message)));
  }

  async #command(name: CommandName, rest: readonly string[]): Promise<Ending> {
    if (rest.length === 1 && isHelp(rest[0])) {
      await this.#help(name.split(" "));
      return 0;
    }
    const manual: Manual = (await loadManuals()).manuals[name];
    const { values, positionals, command: inner, problem } = readArguments(name, manual, rest);
    this.#abandon = async () => (await commands[name]()).abandon?.(values, this.#io);
    if (problem !== undefined) throw new Error(problem);
    const { help: isAsked, ...given } = values;
    if (isAsked) {
      await this.#help(name.split(" "));
      return 0;
    }
    checkArgument(name, manual, positionals[0]);
    const command = await commands[name]();
    return command.run(given, this.#io, positionals[0], inner);
  }

  /** Prints the help of all commands, of a group, or of one. */
  async #help(words: readonly string[]): Promise<void> {
    const { manuals, overview } = await loadManuals();
    const width = layoutWidth(this.#io);
    const [first] = words;
    if (first === undefined || isHelp(first))
      return this.#io.print(makeLinesVisible(generalHelp(manuals, overview, width)));
    const { name } = findCommand(words);
    const text = name === undefined ? groupHelp(first, manuals, width) : commandHelp(name, manuals[name], width);
    this.#io.print(makeLinesVisible(text));
  }

  async #complete(words: readonly string[]): Promise<void> {
    const { completeWords } = await import("./completion.js");
    this.#io.print(showSource(completeWords(words).join("\n")));
  }
}

const isHelp = (word: string | undefined): boolean => word === "--help" || word === "-h";

const isGroup = (word: string): boolean => Object.keys(commands).some((name) => name.startsWith(`${word} `));

/**
 * Finds the command whose name the first words are, and the words after it. Without a command, they name a group of commands.
 * @throws Error that names the nearest command
 */
function findCommand([first = "", second, ...rest]: readonly string[]): {
  readonly name: CommandName | undefined;
  readonly rest: readonly string[];
} {
  if (Object.hasOwn(commands, first))
    return { name: first as CommandName, rest: second === undefined ? [] : [second, ...rest] };
  if (isGroup(first) && (second === undefined || isHelp(second))) return { name: undefined, rest };
  const full = isGroup(first) ? `${first} ${second}` : first;
  if (Object.hasOwn(commands, full)) return { name: full as CommandName, rest };
  const what = `${full.startsWith("-") ? "option" : "command"} ${JSON.stringify(full)}`;
  const known = [...Object.keys(commands), ...others];
  throw new Error(`there is no ${what}${suggestAndPoint(full, known, "pulumi-event-datasets --help")}`);
}

const loadManuals = () => import("./manuals/index.js");
