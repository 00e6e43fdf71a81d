import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createSecureServer } from "node:http2";
import { createServer as createHttpsServer } from "node:https";
import { connect, createServer as createNetServer, type Server, type Socket } from "node:net";
import { refusedUrl } from "../support/client";
import type { Authority, Certificate } from "../support/keys";
import { listen } from "../support/service";

/** A place to connect to, at which no request arrives whole unless it says so. */
export interface Place extends AsyncDisposable {
  readonly url: string;
}

/** Makes a place. */
type MakePlace = (authority: Authority) => Promise<Place>;

const placeOf = (url: string, dispose: () => Promise<unknown> = async () => undefined): Place => ({
  url,
  [Symbol.asyncDispose]: async () => void (await dispose()),
});

const nothingListens: MakePlace = async () => placeOf(refusedUrl);

/** A label of a host name has at most 63 characters, so no name server is asked for this one. */
const noSuchHost: MakePlace = async () => placeOf(`https://${"x".repeat(64)}.example`);

/** Does something with each connection at the first bytes, which are those of the handshake. */
const inHandshake =
  (meet: (socket: Socket) => void): MakePlace =>
  async () => {
    const server = createNetServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => meet(socket));
    });
    return placeOf(`https://127.0.0.1:${await listen(server)}`, () => close(server));
  };

const serveTls =
  (issue: (authority: Authority) => Certificate): MakePlace =>
  async (authority) => {
    const server = createHttpsServer(issue(authority), (_, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end("[]"),
    );
    return placeOf(`https://127.0.0.1:${await listen(server)}`, async () => {
      server.closeAllConnections();
      await close(server);
    });
  };

const trusted = serveTls((authority) => authority.issue(["127.0.0.1", "localhost"]));
const otherHost = serveTls((authority) => authority.issue(["other.example"]));
const expired = serveTls((authority) =>
  authority.issue(["127.0.0.1"], { from: new Date("2020-01-01"), to: new Date("2020-02-01") }),
);
const notYetValid = serveTls((authority) =>
  authority.issue(["127.0.0.1"], { from: new Date("2040-01-01"), to: new Date("2040-02-01") }),
);

/** A listener whose queue is full and that takes no connection: the next one hangs. */
const neverAccepted: MakePlace = async () => {
  const script =
    'const s=require("net").createServer().listen({port:0,host:"127.0.0.1",backlog:1},()=>console.log(s.address().port))';
  const child: ChildProcess = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "ignore"] });
  const [line] = await once(child.stdout as NodeJS.ReadableStream, "data");
  const port = Number(String(line));
  child.kill("SIGSTOP");
  const fillers: Socket[] = [];
  for (let i = 0; i < 4; i++) fillers.push(connect(port, "127.0.0.1").on("error", () => undefined));
  await Promise.race(fillers.map((socket) => once(socket, "connect")));
  return placeOf(`http://127.0.0.1:${port}`, async () => {
    for (const socket of fillers) socket.destroy();
    child.kill("SIGKILL");
    await once(child, "exit");
  });
};

/** A service that would speak HTTP/2 if asked; it notes the version of each request. */
export async function startHttp2(
  authority: Authority,
  names: readonly string[] = ["127.0.0.1"],
): Promise<Place & { readonly versions: string[] }> {
  const versions: string[] = [];
  const server = createSecureServer({ ...authority.issue(names), allowHTTP1: true }, (request, response) => {
    versions.push(request.httpVersion);
    response.writeHead(200, { "content-type": "application/json" });
    response.end("[]");
  });
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket));
  const port = await listen(server);
  const dispose = async () => {
    for (const socket of sockets) socket.destroy();
    await close(server);
  };
  return { ...placeOf(`https://127.0.0.1:${port}`, dispose), versions };
}

/** Takes HTTP/2 and nothing else. */
const http2Only: MakePlace = async (authority) => {
  const server = createSecureServer({ ...authority.issue(["127.0.0.1"]), allowHTTP1: false });
  server.on("sessionError", () => undefined);
  return placeOf(`https://127.0.0.1:${await listen(server)}`, () => close(server));
};

const close = (server: Server): Promise<void> => new Promise((resolve) => void server.close(() => resolve()));

export interface ConnectionRow {
  readonly name: string;
  readonly place: MakePlace;
  readonly expected: { readonly how: "not sent"; readonly requests: number };
  /** The deadline ends it, and the default is too long to wait for. */
  readonly isSilent?: true;
  /** With the variable that switches verification off in Node.js. */
  readonly unverified?: boolean;
}

const again = { how: "not sent", requests: 3 } as const;
const stop = { how: "not sent", requests: 1 } as const;

/** Faults before any part of a request is sent. The client retries after temporary ones. */
export const connectionRows: readonly ConnectionRow[] = [
  { name: "refused", place: nothingListens, expected: again },
  { name: "host name that does not exist", place: noSuchHost, expected: again },
  { name: "reset in the TLS handshake", place: inHandshake((socket) => socket.resetAndDestroy()), expected: again },
  { name: "connection that is never accepted", place: neverAccepted, expected: stop, isSilent: true },
  { name: "certificate of an unknown authority", place: trusted, expected: stop },
  { name: "certificate of another host", place: otherHost, expected: stop },
  { name: "certificate that expired", place: expired, expected: stop },
  { name: "certificate that is not valid yet", place: notYetValid, expected: stop },
  {
    name: "plain HTTP on the TLS port",
    place: inHandshake((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")),
    expected: stop,
  },
  { name: "peer that speaks HTTP/2 only", place: http2Only, expected: stop },
  ...[trusted, otherHost, expired].map((place, at) => ({
    name: `certificate ${["of an unknown authority", "of another host", "that expired"][at]}, NODE_TLS_REJECT_UNAUTHORIZED=0`,
    place,
    expected: stop,
    unverified: true,
  })),
];
