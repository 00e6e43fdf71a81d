import { type ParseArgsConfig, parseArgs } from "node:util";
import { requireNode } from "../sdk/nodeVersion";
import { version } from "../sdk/version";
import type { Ending } from "./child";
import type { Command, Io } from "./command";
import { commandHelp, generalHelp } from "./help";
import { checkArgument, type Manual, parsedOptions, pointOn } from "./manual";
import type { CommandName } from "./manuals";

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

/** What is no command of its own. */
const others = ["help", "--help", "--version"];

/** One call of the command line: what its arguments ask for, and what becomes of it. */
export class CommandLine {
  readonly #args: readonly string[];
  readonly #io: Io;
  /** What the command that runs may have left, if it comes to nothing. */
  #abandon: () => Promise<void> = async () => undefined;

  constructor(args: readonly string[], io: Io) {
    this.#args = args;
    this.#io = io;
  }

  /** @throws Error whose message is all that the user gets to see: for `giveUp` */
  async run(): Promise<Ending> {
    requireNode();
    const [name, ...rest] = this.#args;
    if (name === undefined) throw new Error('a command is missing: see "event-datasets --help"');
    if (name === "--version") this.#io.print(version);
    else if (isHelp(name) || name === "help") await this.#help(name === "help" ? rest[0] : undefined);
    else if (rest.length === 1 && isHelp(rest[0])) await this.#help(name);
    else return await this.#command(nameOf(name), rest);
    return 0;
  }

  /** Says what failed, whatever it was: the answer is not known, exit code 2, and nothing stays that says otherwise. */
  async giveUp(failure: Error): Promise<void> {
    const hasReader = (failure.cause as NodeJS.ErrnoException | undefined)?.code !== "EPIPE";
    if (hasReader) this.#io.warn(failure.message);
    await this.#abandon().catch((reason: Error) => this.#io.warn(reason.message));
  }

  async #command(name: CommandName, rest: readonly string[]): Promise<Ending> {
    const manual = (await allManuals())[name];
    const { argument, takesCommand } = manual;
    this.#abandon = async () => (await commands[name]()).abandon?.(rest);
    const [args, inner] = takesCommand ? split(rest) : [[...rest], []];
    const options = parsedOptions(manual);
    const { values, positionals } = parse(name, { args, options, allowPositionals: argument !== undefined });
    const { help: wanted, ...given } = values;
    if (wanted) {
      await this.#help(name);
      return 0;
    }
    if (positionals.length > 1)
      throw new Error(`${name} takes one ${argument?.name}: see "event-datasets ${name} --help"`);
    checkArgument(name, manual, positionals[0]);
    const command = await commands[name]();
    return command.run(given, this.#io, positionals[0], inner);
  }

  /** Prints what there is to know of all commands, or of one. */
  async #help(name: string | undefined): Promise<void> {
    const manuals = await allManuals();
    if (name === undefined || isHelp(name)) return this.#io.print(generalHelp(manuals));
    const command = nameOf(name);
    this.#io.print(commandHelp(command, manuals[command]));
  }
}

const isHelp = (name: string | undefined): boolean => name === "--help" || name === "-h";

/** @throws Error that names the nearest command */
function nameOf(name: string): CommandName {
  if (Object.hasOwn(commands, name)) return name as CommandName;
  const what = `${name.startsWith("-") ? "option" : "command"} ${JSON.stringify(name)}`;
  throw new Error(
    `there is no ${what}${pointOn(name, [...Object.keys(commands), ...others], "event-datasets --help")}`,
  );
}

const allManuals = async (): Promise<Readonly<Record<CommandName, Manual>>> =>
  (await import("./manuals/index.js")).manuals;

/** The options and the command that follows. */
function split(args: readonly string[]): readonly [own: string[], command: string[]] {
  const at = args.indexOf("--");
  if (at < 0) return [[...args], []];
  if (at === args.length - 1) throw new Error('a command is missing after "--"');
  return [args.slice(0, at), args.slice(at + 1)];
}

/** Node's own messages quote what was given, which may be a secret behind a mistyped option; ours name the option only. */
function parse(command: string, config: ParseArgsConfig) {
  try {
    return parseArgs(config);
  } catch (failure) {
    const { code, message } = failure as NodeJS.ErrnoException;
    const option = /'(?:-\w, )?(--?[\w-]+)/.exec(message)?.[1];
    const see = `see "event-datasets ${command} --help"`;
    switch (code) {
      case "ERR_PARSE_ARGS_UNKNOWN_OPTION": {
        const known = Object.keys(config.options ?? {}).map((name) => `--${name}`);
        const what = `option ${option ?? "of that name"}`;
        throw new Error(`there is no ${what}${pointOn(option ?? "", known, `event-datasets ${command} --help`)}`);
      }
      case "ERR_PARSE_ARGS_INVALID_OPTION_VALUE":
        throw new Error(`${option}: ${/does not take/.test(message) ? "takes no value" : "needs a value"}: ${see}`);
      case "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL":
        throw new Error(`${command} takes options only: ${see}`);
      default:
        throw failure;
    }
  }
}
