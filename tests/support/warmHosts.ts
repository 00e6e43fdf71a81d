import { once } from "node:events";
import { connect, type Socket } from "node:net";
import path from "node:path";
import { HOSTS_PORT, type HostKind, type Stream } from "./warmHosts/protocol";

// Pulumi starts two Node.js processes for a command: one runs the program, the other one the hooks of dynamic providers. Each loads
// the SDK and the compiler, which takes longer than all the rest of a small command. A warm host has loaded them already. It runs
// programs, or hooks, of one command after another, with the SDK's own code, and loads the program and this package anew each time.
// Environment, folder, arguments and timers of the process are set for each command.
//
// The test run has one server of warm hosts (server.ts). A command asks it over a socket. For programs `Workspace.start` does so; for
// hooks the `node` in bin/ does, which the engine finds on PATH.

let inUse = false;

/**
 * Lets all commands of the suite that says so use warm hosts. For suites that look at resources: what a program prints, how it fails
 * by itself and what a signal does differ there. Programs that are ES modules, have a tsconfig.json of their own or
 * classes that the SDK serializes need the engine's hosts: `hosts: "engine"` for their workspace. So do commands with NODE_OPTIONS,
 * NODE_EXTRA_CA_CERTS or other variables that Node.js reads when it starts, and those that trace the engine (`-v`).
 */
export function useWarmHosts(): void {
  inUse = true;
}

/** Whether this suite uses warm hosts. */
export const usesWarmHosts = (): boolean => inUse;

/** The environment of a command whose hooks run in a warm host. */
export const withWarmHooks = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...env,
  PATH: [path.join(__dirname, "warmHosts", "bin"), env.PATH].join(path.delimiter),
  [HOSTS_PORT]: process.env[HOSTS_PORT],
  WARM_HOSTS_NODE: process.execPath,
});

/** A program's run, from before its command starts. */
export interface ProgramRun {
  /** Let the command run its program here. */
  readonly flags: readonly string[];
  /** Call it when the command has ended. Resolves to what the program printed. */
  end(): Promise<string>;
}

/**
 * Gets a warm host for one program.
 * @param env what the program is to see
 * @throws Error with what the host printed, if it ended
 */
export async function beginProgram(env: NodeJS.ProcessEnv, folder: string): Promise<ProgramRun> {
  const socket = connect(Number(process.env[HOSTS_PORT]), "127.0.0.1");
  const printed = collect(socket);
  const entries = Object.entries(env).filter(([, value]) => value !== undefined);
  const kind: HostKind = "program";
  const request = [kind, "", folder, ...entries.map(([name, value]) => `${name}=${value}`), "", ""];
  socket.write(request.join("\0"));
  const port = await printed.firstLine();
  return {
    flags: [`--client=127.0.0.1:${port}`, "--exec-kind=auto.inline"],
    async end() {
      socket.end();
      if (!socket.closed) await once(socket, "close");
      return printed.rest();
    },
  };
}

/** Reads what a host printed. Its first line is the port that it listens on. */
function collect(socket: Socket) {
  let received = "";
  const ended = new AbortController();
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    received += chunk;
  });
  socket.once("close", () => ended.abort());
  const lines = () => received.split("\n").slice(0, -1);
  const textOf = (stream: Stream, all: readonly string[]) =>
    all
      .filter((line) => line.startsWith(stream))
      .map((line) => `${line.slice(1)}\n`)
      .join("");
  return {
    async firstLine(): Promise<string> {
      while (lines().length === 0) {
        await once(socket, "data", { signal: ended.signal }).catch((cause) => {
          throw new Error(`the host of programs ended:\n${received}`, { cause });
        });
      }
      const [first = ""] = lines();
      if (!/^o\d+$/.test(first)) throw new Error(`the host of programs did not start:\n${received}`);
      return first.slice(1);
    },
    rest(): string {
      const [, ...more] = lines();
      return textOf("o", more) + textOf("e", more);
    },
  };
}
