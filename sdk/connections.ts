import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent } from "undici";
import { isLoopback } from "../values/address";
import { printable } from "../values/printable";

/**
 * Certificates are always verified, whatever `NODE_TLS_REJECT_UNAUTHORIZED` says; authorities of one's own are trusted
 * through `NODE_EXTRA_CA_CERTS`. HTTP/1.1 only: over HTTP/2 undici itself sends a refused request again.
 */
const tls = { rejectUnauthorized: true, allowH2: false } as const;

/**
 * The connections of one client: kept alive and shared by its calls, except for those that need one of their own.
 *
 * Those are the creates. A service may close a connection at any time while nothing is on its way, and a request that crosses
 * with that is lost: whether it was carried out cannot be known, so it must not be sent again. HTTP/1.1 has one way to learn
 * before the body leaves that the other side still listens, `Expect: 100-continue`, and undici cannot send it. So a create never
 * goes over a connection that was used before. The rest is shared: one agent, and with it the TLS session, which
 * spares all handshakes but the first their certificates.
 */
export class Connections {
  readonly #viaProxy: boolean;
  readonly #shared: Dispatcher;
  #single: Dispatcher | undefined;
  // One for all: it holds the TLS sessions, and an agent forgets its own as soon as it has no connection.
  readonly #connect = buildConnector(tls);

  /**
   * @param baseUrl a loopback address is never reached through a proxy, which could be another machine's
   * @throws Error for proxy variables that are not addresses
   */
  constructor(baseUrl: string) {
    this.#viaProxy = !isLoopback(new URL(baseUrl).hostname);
    this.#shared = this.#open();
  }

  /** Connections that may be in use already. */
  get shared(): Dispatcher {
    return this.#shared;
  }

  /** Connections that nothing was sent on, as long as every request asks for the end of its own (`reset`). */
  get single(): Dispatcher {
    this.#single ??= this.#open();
    return this.#single;
  }

  /** After a request that was given up before it began: its connection may still come up, and would then lie idle. */
  renewSingle(): void {
    // The requests under way on it are finished.
    void this.#single?.close();
    this.#single = undefined;
  }

  /** Closes idle connections. Calls under way are finished. */
  async close(): Promise<void> {
    await Promise.all([this.#shared.close(), this.#single?.close()]);
  }

  #open(): Dispatcher {
    if (!this.#viaProxy) return new Agent({ allowH2: false, connect: this.#connect });
    try {
      return new EnvHttpProxyAgent({ allowH2: false, connect: this.#connect, requestTls: tls, proxyTls: tls });
    } catch {
      // The library's message quotes the variable, which can hold a password.
      throw printable(new Error("HTTPS_PROXY or HTTP_PROXY (or its form in lower case) is not the address of a proxy"));
    }
  }
}
