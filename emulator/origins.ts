import type { IncomingHttpHeaders } from "node:http";

/**
 * Whether the Host header names this machine. Without this check, a web page could reach the server through its own host
 * name that resolves to 127.0.0.1.
 */
export const isLoopback = (host: string | undefined): boolean =>
  /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(host ?? "");

/**
 * Whether a web page of another origin made the browser send this. It could not read the response, but it could use up the rate
 * limit and planned faults, and fill the list of requests. Programs send none of these headers. Following a link to the
 * emulator's page is allowed.
 */
export function isForeign(headers: IncomingHttpHeaders, target: string): boolean {
  const { host = "", origin, "sec-fetch-site": site, "sec-fetch-mode": mode } = headers;
  if (origin !== undefined && origin.toLowerCase() !== `http://${host}`.toLowerCase()) return true;
  if (site === undefined || site === "same-origin" || site === "none") return false;
  return !(target === "/" && mode === "navigate");
}
