import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import path from "node:path";
import { listen } from "./service";

// Pulumi starts two Node.js processes for a command: one runs the program, the other one the hooks of dynamic providers. Each loads
// the SDK and the compiler, which takes longer than all the rest of a small command. A warm host has loaded them already. It runs
// programs, or hooks, of one command after another, with the SDK's own code, and loads the program and this package anew each time.
// Environment, folder, arguments and timers of the process are set for each command.
//
// The test run has one server of warm hosts. The scripts in warmHosts/, which are the first `node` and `pulumi` on PATH, ask it over a
// socket. A request has fields that end with a NUL: the kind of host, its argument, its folder, each variable of its environment as
// NAME=value, and an empty field. Then the client receives what the host prints, as lines that begin with the stream's letter; the
// first line is the host's port. The run ends when the client sends more or ends the connection, or is killed.

/** Names the variable with the server's port. */
const HOSTS_PORT = "WARM_HOSTS_PORT";

type HostKind = "program" | "provider";

/** `o` for standard output, `e` for standard error. */
type Stream = "o" | "e";

export interface HostRequest {
  /** Of a provider: the address of the engine. */
  readonly argument: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** To a host: begin a run, or end it, and then print the mark on both streams. */
export type Order = { readonly begin: HostRequest } | { readonly end: { readonly mark: string } };

/**
 * The environment of commands whose programs and hooks run in warm hosts. For commands that look at resources: what a program prints,
 * how it fails by itself and what a signal does differ there. Programs that are ES modules, have a tsconfig.json of their own or classes
 * that the SDK serializes need the engine's hosts. So do commands that are killed, those with NODE_OPTIONS, NODE_EXTRA_CA_CERTS or other
 * variables that Node.js reads when it starts, and those that trace the engine (`-v`).
 *
 * With EVENT_DATASETS_ENGINE_HOSTS every command has the engine's hosts: those of an installed engine are what users have.
 */
export const withWarmHosts = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  process.env.EVENT_DATASETS_ENGINE_HOSTS
    ? env
    : {
        ...env,
        PATH: [path.join(__dirname, "warmHosts"), env.PATH].join(path.delimiter),
        [HOSTS_PORT]: process.env[HOSTS_PORT],
        WARM_HOSTS_NODE: process.execPath,
      };

/** Reads the request of a client; undefined if the client ends before. No variable is an empty field. */
async function readRequest(socket: Socket): Promise<{ kind: HostKind; request: HostRequest } | undefined> {
  let text = "";
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += chunk;
    const [kind = "", argument = "", folder = "", ...entries] = text.split("\0");
    if (folder === "" || !text.endsWith("\0\0")) continue;
    const variables = entries.filter((entry) => entry !== "").map((entry) => entry.split(/=(.*)/s, 2));
    return { kind: kind as HostKind, request: { argument, folder, env: Object.fromEntries(variables) } };
  }
  return undefined;
}

/** Starts hosts when they are needed, lends each to one command at a time, and keeps it for the next one. */
export class WarmHosts implements AsyncDisposable {
  readonly #server: Server;
  readonly #hosts = new Set<Host>();
  readonly #idle: Host[] = [];

  private constructor() {
    this.#server = createServer({ allowHalfOpen: true }, (socket) => {
      // A client that is killed may reset its connection.
      this.#serve(socket).catch(() => socket.destroy());
    });
  }

  /** From now on, the commands of this process and of its workers find the server. */
  static async start(): Promise<WarmHosts> {
    const hosts = new WarmHosts();
    process.env[HOSTS_PORT] = String(await listen(hosts.#server));
    return hosts;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    await Promise.all([...this.#hosts].map((host) => host.kill()));
  }

  async #serve(socket: Socket): Promise<void> {
    socket.on("error", () => undefined); // a client that was killed
    const asked = await readRequest(socket.setEncoding("utf8"));
    if (asked && !socket.destroyed) await this.#lend(asked.kind, asked.request, socket);
    socket.end();
  }

  async #lend(kind: HostKind, request: HostRequest, socket: Socket): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      for (const event of ["data", "end", "close"]) socket.once(event, () => resolve());
    });
    const at = this.#idle.findIndex((host) => host.kind === kind);
    const [host = this.#add(new Host(kind, request))] = at >= 0 ? this.#idle.splice(at, 1) : [];
    if (await host.run(request, socket, ended)) this.#idle.push(host);
    else await host.kill();
  }

  #add(host: Host): Host {
    this.#hosts.add(host);
    void host.closed.then(() => {
      this.#hosts.delete(host);
      const at = this.#idle.indexOf(host);
      if (at >= 0) this.#idle.splice(at, 1);
    });
    return host;
  }
}

/** One process. */
class Host {
  readonly closed: Promise<unknown>;
  readonly #child: ChildProcess;

  constructor(
    readonly kind: HostKind,
    { env }: HostRequest,
  ) {
    const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env;
    this.#child = fork(path.join(__dirname, "warmHosts/host.mjs"), [kind], {
      env: { PATH, TMPDIR, NODE_COMPILE_CACHE: env.NODE_COMPILE_CACHE ?? NODE_COMPILE_CACHE },
      execArgv: [],
      stdio: "pipe",
    });
    this.closed = once(this.#child, "close").catch(() => undefined);
  }

  /** Runs until the client has ended. @returns whether the host can take another run */
  async run(request: HostRequest, socket: Socket, ended: Promise<void>): Promise<boolean> {
    const mark = randomUUID();
    const relayed = Promise.all([this.#relay("o", socket, mark), this.#relay("e", socket, mark)]);
    this.#order({ begin: request });
    await Promise.race([ended, this.closed]);
    const answered = new Promise<{ readonly isIdle: boolean }>((resolve) =>
      this.#child.once("message", resolve as (message: unknown) => void),
    );
    this.#order({ end: { mark } });
    const answer = await Promise.race([answered, this.closed.then(() => ({ isIdle: false }))]);
    await relayed;
    return answer.isIdle;
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.closed;
  }

  #order(order: Order): void {
    if (this.#child.connected) this.#child.send(order);
  }

  /** Hands what the host prints to the client, until the mark or the end of the process. */
  #relay(letter: Stream, socket: Socket, mark: string): Promise<void> {
    const stream = this.#child[letter === "o" ? "stdout" : "stderr"];
    if (!stream || stream.closed) return Promise.resolve();
    return new Promise((resolve) => {
      let text = "";
      const write = (lines: readonly string[]) => {
        if (lines.length > 0 && socket.writable) socket.write(lines.map((line) => `${letter}${line}\n`).join(""));
      };
      const stop = () => {
        stream.off("data", take).off("close", stop);
        if (text !== "") write([text]);
        resolve();
      };
      const take = (chunk: string) => {
        text += chunk;
        const at = text.indexOf(mark);
        const lines = (at >= 0 ? text.slice(0, at) : text).split("\n");
        text = lines.pop() ?? "";
        write(lines);
        if (at >= 0) stop();
      };
      stream.setEncoding("utf8").on("data", take).on("close", stop);
    });
  }
}
