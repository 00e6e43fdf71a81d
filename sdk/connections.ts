import { Agent, type Dispatcher, EnvHttpProxyAgent } from "undici";
import { isLoopback } from "./values/address";

/**
 * Certificates are always verified, whatever `NODE_TLS_REJECT_UNAUTHORIZED` says; authorities of one's own are trusted
 * through `NODE_EXTRA_CA_CERTS`. HTTP/1.1 only: over HTTP/2 undici itself sends a refused request again.
 */
const tls = { rejectUnauthorized: true, allowH2: false } as const;

/** The connections of one client: kept alive and shared by its calls, except for those that need one of their own. */
export class Connections {
  readonly #viaProxy: boolean;
  readonly #shared: Dispatcher;

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

  /** A connection that nothing was sent on. To be given back. */
  openOwn(): Dispatcher {
    return this.#open();
  }

  /** Ends a connection of one's own. */
  giveBack(dispatcher: Dispatcher): void {
    // The answer is in; how the connection ends is of no interest any more.
    if (dispatcher !== this.#shared) void dispatcher.destroy();
  }

  /** Closes idle connections. Calls under way are finished. */
  close(): Promise<void> {
    return this.#shared.close();
  }

  #open(): Dispatcher {
    if (!this.#viaProxy) return new Agent({ allowH2: false, connect: tls });
    try {
      return new EnvHttpProxyAgent({ allowH2: false, connect: tls, requestTls: tls, proxyTls: tls });
    } catch {
      // What the library says quotes the variable, which can hold a password.
      throw new Error("HTTPS_PROXY or HTTP_PROXY (or its form in lower case) is not the address of a proxy");
    }
  }
}
