#!/usr/bin/env node
import { type ParseArgsConfig, parseArgs } from "node:util";
import { requireNode } from "../sdk/nodeVersion";
import { version } from "../sdk/version";
import type { Ending } from "./child";
import type { Command, Io } from "./command";
import { checkArgument, type Manual, parsedOptions, pointOn } from "./manual";
import type { CommandName } from "./manuals";
import { columnsOf, movesCursor, showsColours } from "./terminal";
import { visible } from "./text";

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

/** Takes back what shows that work is under way, where that can be shown. */
const cleared = movesCursor(process.stderr, process.env) ? "\r\u001b[2K" : "";

const io: Io = {
  print: (line) => void process.stdout.write(`${line}\n`),
  // On one line: a line of its own could start with what a CI system takes for a command.
  warn: (line) => void process.stderr.write(`${cleared}event-datasets: ${visible(line)}\n`),
  env: process.env,
  readInput: async () => (await import("node:stream/consumers")).text(process.stdin),
  ask: process.stdin.isTTY && process.stderr.isTTY ? askUser : undefined,
  columns: columnsOf(process.stdout),
  colours: showsColours(process.stdout, process.env),
  progress: movesCursor(process.stderr, process.env)
    ? (text) => void process.stderr.write(`${cleared}${text}`)
    : undefined,
  stopped: () =>
    new Promise((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
    }),
};

async function askUser(question: string): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}

async function main([name, ...rest]: readonly string[]): Promise<Ending> {
  requireNode();
  if (name === undefined) throw new Error('a command is missing: see "event-datasets --help"');
  if (name === "--version") io.print(version);
  else if (isHelp(name) || name === "help") await printHelp(name === "help" ? rest[0] : undefined);
  else return await runCommand(nameOf(name), rest);
  return 0;
}

async function runCommand(name: CommandName, rest: readonly string[]): Promise<Ending> {
  const manual = await manualOf(name);
  const { argument, takesCommand } = manual;
  abandon = async () => (await commands[name]()).abandon?.(rest);
  const [args, inner] = takesCommand ? split(rest) : [[...rest], []];
  const options = parsedOptions(manual);
  const { values, positionals } = parse(name, { args, options, allowPositionals: argument !== undefined });
  const { help: wanted, ...given } = values;
  if (wanted) {
    await printHelp(name);
    return 0;
  }
  if (positionals.length > 1)
    throw new Error(`${name} takes one ${argument?.name}: see "event-datasets ${name} --help"`);
  checkArgument(name, manual, positionals[0]);
  const command = await commands[name]();
  return command.run(given, io, positionals[0], inner);
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

/** Prints what there is to know of all commands, or of one. */
async function printHelp(name: string | undefined): Promise<void> {
  const { commandHelp, generalHelp } = await import("./help.js");
  if (name === undefined || isHelp(name)) return io.print(generalHelp());
  const command = nameOf(name);
  io.print(commandHelp(command, await manualOf(command)));
}

const manualOf = async (name: CommandName): Promise<Manual> => (await import("./manuals/index.js")).manuals[name];

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

/** What the command that runs may have left, if it comes to nothing. */
let abandon: () => Promise<void> = async () => undefined;

let unwritten: NodeJS.ErrnoException | undefined;
process.stdout.on("error", (failure) => {
  unwritten ??= failure;
});
process.stderr.on("error", () => undefined); // there is nobody left to tell

/** @throws Error unless everything was written. A reader that went away (EPIPE) knows that it did not read all. */
async function flush(): Promise<void> {
  await new Promise<void>((resolve) => process.stdout.write("", () => resolve()));
  if (unwritten) throw new Error(`standard output cannot be written to (${unwritten.code})`, { cause: unwritten });
}

/** Whatever it was, the answer is not known: 2, and nothing that says otherwise. */
async function giveUp(failure: Error): Promise<void> {
  process.exitCode = 2;
  const hasReader = (failure.cause as NodeJS.ErrnoException | undefined)?.code !== "EPIPE";
  if (hasReader) io.warn(failure.message);
  await abandon().catch((reason: Error) => io.warn(reason.message));
}

process.on("uncaughtException", (failure: Error) => {
  void giveUp(failure).finally(() => process.exit(2));
});

main(process.argv.slice(2))
  .then(async (ending) => {
    await flush();
    if (typeof ending === "number") process.exitCode = ending;
    else (await import("./child.js")).endLike(ending);
  })
  .catch(giveUp);
