import { spawn } from "node:child_process";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import path from "node:path";
import { text } from "node:stream/consumers";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../emulator";
import { makeFolder } from "../support/suite";

export const rootToken = "root-token-of-the-tests";

export interface TestEmulator extends Emulator {
  readonly dataDir: string;
}

/** An emulator, with a data folder of its own if none is given. */
export async function start(options: Partial<EmulatorOptions> = {}): Promise<TestEmulator> {
  const dataDir = options.dataDir ?? makeFolder();
  return { ...(await startEmulator({ rootToken, ...options, dataDir })), dataDir };
}

export interface Sent {
  /** The root token if not given; null: none. */
  readonly token?: string | null;
  /** Sent as JSON; a string as it is. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  // biome-ignore lint/suspicious/noExplicitAny: the tests say what they expect of it
  readonly body: any;
}

/** Sends "POST /v2/tokens", say. By node:http, because fetch would resolve `..` and sets Host itself. */
export async function call(url: string, line: string, sent: Sent = {}): Promise<Received> {
  const response = await send(url, line, sent);
  const body = await text(response);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: body === "" ? undefined : parseBody(body),
  };
}

export function send(url: string, line: string, { token = rootToken, body, headers }: Sent): Promise<IncomingMessage> {
  const [method = "", target = ""] = line.split(" ");
  // Not a text, which Node.js would put together with the headers, as UTF-8.
  const content = body === undefined ? body : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  const { hostname, port } = new URL(url);
  const sent: Record<string, string> = {
    ...(token !== null && { authorization: `Bearer ${token}` }),
    ...(content !== undefined && {
      "content-type": "application/json",
      "content-length": `${content.length}`,
    }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, method, path: target, headers: sent, agent: false }, resolve);
    outgoing.on("error", reject);
    outgoing.end(content);
  });
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body; // what is not JSON is for the test to look at
  }
}

/** A token with these organization capabilities; its secret. */
export async function mintedWith(url: string, orgCapabilities: Record<string, string[]>, more = {}): Promise<string> {
  const { body } = await call(url, "POST /v2/tokens", { body: { name: "caller", orgCapabilities, ...more } });
  return body.token;
}

/** Starts an emulator in a process of its own, to be killed; `wrapper` is a command that runs the command after it. */
export async function startProcess(dataDir: string, wrapper: readonly string[] = []) {
  const script = `const { startEmulator } = require(${JSON.stringify(path.resolve("emulator/dist"))});
    startEmulator(${JSON.stringify({ dataDir, rootToken, profile: "extended" })}).then(({ url }) => console.log(url));`;
  const [command = "", ...args] = [...wrapper, process.execPath, "-e", script];
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  const said = text(child.stderr);
  const closed = once(child, "close");
  /** Resolves to what the process has written to standard error. */
  const kill = async () => {
    child.kill("SIGKILL");
    await closed;
    return said;
  };
  const url = String((await once(child.stdout, "data"))[0]).trim();
  const dispose = async () => void (await kill());
  return { url, profile: "extended" as const, pid: child.pid, kill, [Symbol.asyncDispose]: dispose };
}

export const now = () => new Date("2026-11-21T12:00:00Z");

export const events = [
  { _time: "2026-11-21T10:00:00Z", status: 200, method: "GET" },
  { _time: "2026-11-21T10:30:00Z", status: 500, method: "GET" },
  { _time: "2026-11-21T11:15:00Z", status: 200, method: "PUT" },
];

/** An emulator with the events in the dataset `web`, and one more in `other`. */
export async function withEvents(options = {}): Promise<TestEmulator> {
  const emulator = await start({ now, ...options });
  await emulator.ingest("web", events);
  await emulator.ingest("other", [{ _time: "2026-11-21T10:00:00Z", status: 1 }]);
  return emulator;
}

/** Legacy is the only format of the documented profile, which does not name it. */
export const apl = ({ url, profile }: Pick<TestEmulator, "url" | "profile">, text: string, more = {}) =>
  call(url, `POST /v1/datasets/_apl${profile === "extended" ? "?format=legacy" : ""}`, {
    body: { apl: text },
    ...more,
  });

/** How many events a dataset has. */
export async function countOf(emulator: Parameters<typeof apl>[0], dataset: string): Promise<number> {
  const { body } = await apl(emulator, `['${dataset}'] | count`);
  return body.buckets.totals[0].aggregations[0].value;
}

/** The work of this query is the square of a million, in one step that nothing interrupts. */
export const endless =
  "print x = split(strrep(strrep('1,',1024),256), ',') | extend y = series_fir(x, x) | project array_length(y)";
