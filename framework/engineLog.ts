import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import type { Tell } from "./lifecycle";

/** How long a line may take, in milliseconds: an engine that does not answer must not stop a hook. */
const patience = 10_000;

/** The SDK's client of the engine. It takes options without metadata, too, which its own types do not say. */
interface Engine {
  log(request: LogRequest, options: { readonly deadline: number }, done: () => void): unknown;
}

/** The engine's log. It shows a line about a resource together with that resource. */
export class EngineLog {
  readonly #connect: () => Engine | undefined;
  #engine: Engine | undefined;

  /** @param connect is called for the first line; undefined: there is no engine, and nobody to tell */
  constructor(connect: () => object | undefined) {
    this.#connect = connect as () => Engine | undefined;
  }

  /** @param urn empty: it concerns all of the update */
  about(urn: string): Tell {
    return {
      warn: (message) => this.#send(LogSeverity.WARNING, urn, message),
      inform: (message) => this.#send(LogSeverity.INFO, urn, message),
    };
  }

  /** If a line cannot be delivered, the hook must not fail: the secret of a create would be lost. */
  async #send(severity: LogSeverity, urn: string, message: string): Promise<void> {
    const request = new LogRequest().setSeverity(severity).setMessage(message).setUrn(urn);
    const sent = new Promise<void>((resolve) => {
      this.#engine ??= this.#connect();
      return this.#engine ? this.#engine.log(request, { deadline: Date.now() + patience }, resolve) : resolve();
    });
    await sent.catch(() => undefined);
  }
}
