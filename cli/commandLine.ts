import { version } from "../sdk/version";
import { requireNode } from "../values/nodeVersion";
import { readArguments } from "./arguments";
import type { Ending } from "./child";
import type { Command, Io } from "./command";
import { commandHelp, generalHelp } from "./help";
import { checkArgument, type Manual, suggestAndPoint } from "./manual";
import type { CommandName } from "./manuals";
import { layoutWidth } from "./terminal";
import { makeLinesVisible, makeVisible } from "./text";

/** Commands load when they run: each has its own dependencies, and the Node version is checked before. */
const commands: Readonly<Record<CommandName, () => Promise<Command>>> = {
  audit: async () => (await import("./audit.js")).audit,
  annotate: async () => (await import("./annotate.js")).annotate,
  query: async () => (await import("./query.js")).query,
  tokens: async () => (await import("./tokens.js")).tokens,
  annotations: async () => (await import("./annotations.js")).annotations,
  comment: async () => (await import("./comment.js")).comment,
  open: async () => (await import("./open.js")).open,
  recover: async () => (await import("./recover.js")).recover,
  doctor: async () => (await import("./doctor.js")).doctor,
  serve: async () => (await import("./serve.js")).serve,
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
    const [name, ...rest] = this.#args;
    if (name === undefined) {
      await this.#help(undefined);
      return 2; // a CI job whose command got lost did not succeed
    }
    if (name === "--version" || name === "-V") this.#io.print(makeVisible(version));
    else if (isHelp(name) || name === "help") await this.#help(name === "help" ? rest[0] : undefined);
    else if (rest.length === 1 && isHelp(rest[0])) await this.#help(name);
    else return await this.#command(nameOf(name), rest);
    return 0;
  }

  /** Prints a failure, removes old results and returns exit code 2: could not tell. */
  async giveUp(failure: Error): Promise<void> {
    const hasReader = (failure.cause as NodeJS.ErrnoException | undefined)?.code !== "EPIPE";
    if (hasReader) this.#io.warn(makeVisible(failure.message));
    await this.#abandon().catch((reason: Error) => this.#io.warn(makeVisible(reason.message)));
  }

  async #command(name: CommandName, rest: readonly string[]): Promise<Ending> {
    const manual: Manual = (await loadManuals()).manuals[name];
    const { values, positionals, command: inner, problem } = readArguments(name, manual, rest);
    this.#abandon = async () => (await commands[name]()).abandon?.(values, this.#io);
    if (problem !== undefined) throw new Error(problem);
    const { help: isAsked, ...given } = values;
    if (isAsked) {
      await this.#help(name);
      return 0;
    }
    checkArgument(name, manual, positionals[0]);
    const command = await commands[name]();
    return command.run(given, this.#io, positionals[0], inner);
  }

  /** Prints the help of all commands, or of one. */
  async #help(name: string | undefined): Promise<void> {
    const { manuals, overview } = await loadManuals();
    const width = layoutWidth(this.#io);
    if (name === undefined || isHelp(name))
      return this.#io.print(makeLinesVisible(generalHelp(manuals, overview, width)));
    const command = nameOf(name);
    this.#io.print(makeLinesVisible(commandHelp(command, manuals[command], width)));
  }
}

const isHelp = (name: string | undefined): boolean => name === "--help" || name === "-h";

/** @throws Error that names the nearest command */
function nameOf(name: string): CommandName {
  if (Object.hasOwn(commands, name)) return name as CommandName;
  const what = `${name.startsWith("-") ? "option" : "command"} ${JSON.stringify(name)}`;
  throw new Error(
    `there is no ${what}${suggestAndPoint(name, [...Object.keys(commands), ...others], "pulumi-event-datasets --help")}`,
  );
}

const loadManuals = () => import("./manuals/index.js");
