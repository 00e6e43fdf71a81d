import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import path from "node:path";
import { listen } from "../listen";
import { type Ended, type HostKind, type HostRequest, type Order, readRequest, type Stream } from "./protocol";

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

  static async start(): Promise<WarmHosts> {
    const hosts = new WarmHosts();
    await listen(hosts.#server);
    return hosts;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    await Promise.all([...this.#hosts].map((host) => host.kill()));
  }

  async #serve(socket: Socket): Promise<void> {
    socket.on("error", () => undefined); // a client that was killed
    const ended = new Promise<void>((resolve) => {
      socket.once("end", resolve);
      socket.once("close", () => resolve());
    });
    let text = "";
    socket.setEncoding("utf8");
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      text += chunk;
      const asked = readRequest(text);
      if (asked === undefined) continue;
      const { kind, request } = asked;
      const at = this.#idle.findIndex((host) => host.kind === kind);
      const [host = this.#add(new Host(kind, request))] = at >= 0 ? this.#idle.splice(at, 1) : [];
      socket.resume(); // to see its end
      if (await host.run(request, socket, ended)) this.#idle.push(host);
      else await host.kill();
      break;
    }
    socket.end();
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
    this.#child = fork(path.join(__dirname, `${kind}.mjs`), {
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
    const answered = new Promise<Ended>((resolve) =>
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
