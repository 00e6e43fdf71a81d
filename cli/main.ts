#!/usr/bin/env node
import { type ParseArgsConfig, parseArgs } from "node:util";
import { version } from "../sdk/version";
import type { Command, Io } from "./command";

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
  serve: { summary: "run a local service for tests", load: async () => (await import("./serve.js")).serve },
};

const help = `Usage: event-datasets <command> [options]

Commands:
${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`)
  .join("\n")}

Options:
  --help     prints this; "event-datasets <command> --help" is about a command
  --version  prints the version

Exit codes: 0 clean, 1 findings, 2 could not tell.`;

const io: Io = {
  print: (line) => console.log(line),
  warn: (line) => console.error(`event-datasets: ${line}`),
  env: process.env,
  columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  stopped: () =>
    new Promise((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
    }),
};

async function main([name, ...rest]: readonly string[]): Promise<number> {
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
  const { help: wanted, ...values } = parse(name, {
    args: rest,
    options: { ...command.options, help: { type: "boolean" } },
  });
  if (!wanted) return command.run(values, io);
  io.print(command.help);
  return 0;
}

/** Node's own messages quote what was given, which may be a secret behind a mistyped option; ours name the option only. */
function parse(command: string, config: ParseArgsConfig) {
  try {
    return parseArgs(config).values;
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

/** Older ones fail inside the dependencies, in ways that do not say so. */
function requireNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 22 || (major === 22 && minor < 19))
    throw new Error(`Node.js 22.19 or newer is needed; this is ${process.version} (${process.execPath})`);
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (failure: Error) => {
    io.warn(failure.message);
    process.exitCode = 2;
  },
);
