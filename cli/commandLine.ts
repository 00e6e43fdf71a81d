import { version } from "../sdk/version";
import { requireNode } from "../values/nodeVersion";
import { readArguments } from "./arguments";
import type { Ending } from "./child";
import type { Command, Io } from "./command";
import { commandHelp, generalHelp, groupHelp } from "./help";
import { program, suggestAndPoint } from "./manual";
import type { CommandName } from "./manuals";
import { makeLinesVisible, makeVisible, showSource } from "./text";

/** Commands load when they run: each has its own dependencies, and the Node version is checked before. */
const commands: { readonly [N in CommandName]: () => Promise<Command<N>> } = {
  audit: async () => (await import("./audit.js")).audit,
  "tokens list": async () => (await import("./tokens/list.js")).listTokens,
  "tokens show": async () => (await import("./tokens/show.js")).showToken,
  "tokens adopt": async () => (await import("./tokens/adopt.js")).adoptTokens,
  "tokens find": async () => (await import("./tokens/find.js")).findTokens,
  "tokens revoke": async () => (await import("./tokens/revoke.js")).revokeTokens,
  annotate: async () => (await import("./annotate.js")).annotate,
  gate: async () => (await import("./gate.js")).gate,
  query: async () => (await import("./query.js")).query,
  recover: async () => (await import("./recover.js")).recover,
  doctor: async () => (await import("./doctor.js")).doctor,
  open: async () => (await import("./open.js")).open,
  completion: async () => (await import("./completion.js")).completion,
};

/**
 * Runs one command line, and resolves to its exit code or to the signal that ended its child.
 * @throws Error whose message is all that the user gets to see; the exit code is 2
 */
export async function runCommandLine(args: readonly string[], io: Io): Promise<Ending> {
  requireNode();
  const [first] = args;
  if (first === "--version" || first === "-V") {
    io.print(makeVisible(version));
    return 0;
  }
  if (first === "__complete") {
    const { completeLine } = await import("./completion.js");
    io.print(showSource(completeLine(io.env).join("\n")));
    return 0;
  }
  const asksForHelp = first === "help" || args.slice(0, 2).some(isHelp);
  const words = asksForHelp ? args.filter((word) => word !== "help" && !isHelp(word)) : args;
  const name = findCommand(words);
  if (name !== undefined && !asksForHelp) return await runCommand(name, words.slice(name.split(" ").length), io);
  const { manuals, overview } = await import("./manuals/index.js");
  const [group] = words;
  const general = () => (group === undefined ? generalHelp(manuals, overview) : groupHelp(group, manuals));
  io.print(makeLinesVisible(name === undefined ? general() : commandHelp(name, manuals[name])));
  // Without a command, the rest of the line may have got lost in a CI job.
  return asksForHelp ? 0 : 2;
}

async function runCommand<N extends CommandName>(name: N, args: readonly string[], io: Io): Promise<Ending> {
  const { manuals } = await import("./manuals/index.js");
  const { values, argument, command: inner, problem } = readArguments(name, manuals[name], args);
  if (values.help) {
    io.print(makeLinesVisible(commandHelp(name, manuals[name])));
    return 0;
  }
  if (values.cwd !== undefined) enterFolder(values.cwd);
  const command = await commands[name]();
  await command.prepare?.(values, io);
  if (problem !== undefined) throw new Error(problem);
  return await command.run(values, io, argument, inner);
}

function enterFolder(folder: string): void {
  try {
    process.chdir(folder);
  } catch {
    throw new Error(`--cwd ${folder}: not a folder`);
  }
}

const isHelp = (word: string): boolean => word === "--help" || word === "-h";

/**
 * Finds the command that the first words name; undefined: they name none, or a group of commands.
 * @throws Error that names the nearest command
 */
function findCommand([first, second]: readonly string[]): CommandName | undefined {
  const names = Object.keys(commands);
  const found = names.find((one) => one === first || one === `${first} ${second}`);
  if (found !== undefined) return found as CommandName;
  const isGroup = names.some((one) => one.startsWith(`${first} `));
  if (first === undefined || (isGroup && second === undefined)) return undefined;
  const full = isGroup ? `${first} ${second}` : first;
  const what = `${full.startsWith("-") ? "option" : "command"} ${JSON.stringify(full)}`;
  const known = [...names, "help", "--help", "--version"];
  throw new Error(`there is no ${what}${suggestAndPoint(full, known, `${program} --help`)}`);
}
