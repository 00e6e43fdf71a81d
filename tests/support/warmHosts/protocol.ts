// A client connects to the server, and sends a request of fields that end with a NUL: the kind of host, its argument, its folder, each
// variable of its environment as NAME=value, and an empty field. From then on it receives what the host prints, as lines that begin
// with the stream's letter; the first line is the host's port. The run ends when the client ends the connection, or is killed.

/** Names the variable with the server's port. */
export const HOSTS_PORT = "WARM_HOSTS_PORT";

export type HostKind = "program" | "provider";

/** `o` for standard output, `e` for standard error. */
export type Stream = "o" | "e";

export interface HostRequest {
  /** Of a provider: the address of the engine. */
  readonly argument: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** To a host: begin a run, or end it, and then print the mark on both streams. */
export type Order = { readonly begin: HostRequest } | { readonly end: { readonly mark: string } };

/** From a host that ended a run: whether nothing of it is still going on. */
export interface Ended {
  readonly isIdle: boolean;
}

/** Reads the request of a client; undefined if there is more to come. No variable is an empty field. */
export function readRequest(text: string): { readonly kind: HostKind; readonly request: HostRequest } | undefined {
  const [kind = "", argument = "", folder = "", ...entries] = text.split("\0");
  if (folder === "" || !text.endsWith("\0\0")) return undefined;
  const variables = entries.filter((entry) => entry !== "").map((entry) => entry.split(/=(.*)/s, 2));
  return { kind: kind as HostKind, request: { argument, folder, env: Object.fromEntries(variables) } };
}
