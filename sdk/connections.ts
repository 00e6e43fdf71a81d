import type * as undici from "undici";
import { isLoopback } from "../values/address";
import { makePrintable } from "../values/printable";

// The index of undici loads four times as much, and sets the dispatcher of Node's fetch. The version is pinned.
const Agent = require("undici/lib/dispatcher/agent") as typeof undici.Agent;
const buildConnector = require("undici/lib/core/connect") as typeof undici.buildConnector;

/**
 * Certificates are always verified, even if `NODE_TLS_REJECT_UNAUTHORIZED` is 0; `NODE_EXTRA_CA_CERTS` adds trusted
 * authorities. Only HTTP/1.1: over HTTP/2, undici itself retries a refused request.
 */
const tls = { rejectUnauthorized: true, allowH2: false } as const;

/** In the order in which undici reads them for an `https:` address. Only a loopback address, without a proxy, is `http:`. */
const proxyVariables = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"];

/**
 * The connections of one client: kept alive and shared by its calls, except for creates.
 *
 * A service may close an idle connection at any time. A request that is sent at the same moment is lost, and nobody knows
 * whether it was carried out, so a create must not be retried. With `Expect: 100-continue`, a client of HTTP/1.1 can find out
 * before it sends the body whether the service is still listening, but undici cannot send this header. So each create gets a
 * new connection. Without a proxy, all connections share TLS sessions, so only the first handshake exchanges certificates.
 */
export class Connections {
  readonly #viaProxy: boolean;
  /** Connections that calls share. */
  readonly shared: undici.Dispatcher;
  // Shared, because it holds the TLS sessions: an agent forgets its own when its last connection closes.
  readonly #connect = buildConnector(tls);

  /**
   * @param baseUrl a loopback address is never reached through a proxy, which could run on another machine
   * @throws Error for a proxy variable that is not an address
   */
  constructor(baseUrl: string) {
    this.#viaProxy = !isLoopback(new URL(baseUrl).hostname);
    this.shared = this.open();
  }

  /** The environment variable that names the proxy; undefined: there is none. */
  get proxyVariable(): string | undefined {
    return this.#viaProxy ? proxyVariables.find((name) => process.env[name]) : undefined;
  }

  /**
   * Closes the shared connections at once, so first wait for the calls under way. This includes connections that are still being
   * opened: a graceful close would wait for them, for minutes behind a proxy that does not respond.
   */
  close(): Promise<void> {
    return this.shared.destroy();
  }

  /**
   * Connections of one request. Destroy them after the request: a connection that was cancelled while connecting could still
   * open.
   */
  open(): undici.Dispatcher {
    if (this.proxyVariable === undefined) return new Agent({ allowH2: false, connect: this.#connect });
    // As the index does: an agent for proxies calls `connect`.
    Object.assign(require("undici/lib/dispatcher/dispatcher").prototype, require("undici/lib/api"));
    const EnvHttpProxyAgent = require("undici/lib/dispatcher/env-http-proxy-agent") as typeof undici.EnvHttpProxyAgent;
    try {
      return new EnvHttpProxyAgent({ allowH2: false, connect: this.#connect, requestTls: tls, proxyTls: tls });
    } catch {
      // The library's message quotes the variable, which can hold a password.
      throw makePrintable(
        new Error("HTTPS_PROXY or HTTP_PROXY (or its form in lower case) is not the address of a proxy"),
      );
    }
  }
}
