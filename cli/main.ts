#!/usr/bin/env node
import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { requireNode } from "../sdk/nodeVersion";
import { version } from "../sdk/version";
import { type Ending, endLike } from "./child";
import type { Command, Io } from "./command";
import { columnsOf, movesCursor, showsColours } from "./terminal";
import { visible } from "./text";

interface Entry {
  readonly summary: string;
  /** Commands load when they are called: each has its own dependencies, and the Node version is checked before. */
  readonly load: () => Promise<Command>;
}

const commands: Readonly<Record<string, Entry>> = {
  audit: {
    summary: "compare the live tokens with the declared ones",
    load: async () => (await import("./audit.js")).audit,
  },
  annotate: { summary: "record a deployment", load: async () => (await import("./annotate.js")).annotate },
  query: { summary: "run a query and print its rows", load: async () => (await import("./query.js")).query },
  tokens: {
    summary: "list the live tokens, print what declares them, revoke them",
    load: async () => (await import("./tokens.js")).tokens,
  },
  annotations: { summary: "list annotations", load: async () => (await import("./annotations.js")).annotations },
  comment: {
    summary: "keep one comment on a pull request up to date",
    load: async () => (await import("./comment.js")).comment,
  },
  open: {
    summary: "print a sealed secret to the one who has its private key",
    load: async () => (await import("./open.js")).open,
  },
  recover: {
    summary: "say what an interrupted update left, and what mends it",
    load: async () => (await import("./recover.js")).recover,
  },
  serve: { summary: "run a local service for tests", load: async () => (await import("./serve.js")).serve },
};

const help = `Usage: event-datasets <command> [options]

Commands:
${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(12)} ${summary}`)
  .join("\n")}

Options:
  --help     prints this; "event-datasets <command> --help" is about a command
  --version  prints the version

Exit codes: 0 clean, 1 findings, 2 could not tell.`;

const io: Io = {
  print: (line) => void process.stdout.write(`${line}\n`),
  // On one line: a line of its own could start with what a CI system takes for a command.
  warn: (line) => void process.stderr.write(`event-datasets: ${visible(line)}\n`),
  env: process.env,
  readInput: () => text(process.stdin),
  ask: process.stdin.isTTY && process.stderr.isTTY ? askUser : undefined,
  columns: columnsOf(process.stdout),
  colours: showsColours(process.stdout, process.env),
  progress: movesCursor(process.stderr, process.env)
    ? (text) => void process.stderr.write(`\r\u001b[2K${text}`)
    : undefined,
  stopped: () =>
    new Promise((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
    }),
};

async function askUser(question: string): Promise<string> {
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
  if (name === "--help" || name === "--version") {
    io.print(name === "--help" ? help : version);
    return 0;
  }
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!entry)
    throw new Error(
      `there is no ${name.startsWith("-") ? "option" : "command"} ${JSON.stringify(name)}: see "event-datasets --help"`,
    );

  const command = await entry.load();
  abandon = async () => command.abandon?.(rest);
  const [args, inner] = command.takesCommand ? split(rest) : [[...rest], []];
  const { values, positionals } = parse(name, {
    args,
    options: { ...command.options, help: { type: "boolean" } },
    allowPositionals: command.argument !== undefined,
  });
  const { help: wanted, ...options } = values;
  if (positionals.length > 1)
    throw new Error(`${name} takes one ${command.argument}: see "event-datasets ${name} --help"`);
  if (!wanted) return command.run(options, io, positionals[0], inner);
  io.print(command.help);
  return 0;
}

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
      case "ERR_PARSE_ARGS_UNKNOWN_OPTION":
        throw new Error(`there is no option ${option ?? "of that name"}: ${see}`);
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
    endLike(ending);
  })
  .catch(giveUp);
