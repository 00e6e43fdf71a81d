import { credentials, Metadata } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import type { Tell } from "./lifecycle";

/** How long a line may take, in milliseconds: an engine that does not answer must not stop a hook. */
const patience = 10_000;

/** The engine's log: a line about one resource is shown with that resource. */
export class EngineLog {
  readonly #engine: EngineClient | undefined;

  /** @param address undefined: there is no engine, and nobody to tell */
  constructor(address: string | undefined) {
    this.#engine = address ? new EngineClient(address, credentials.createInsecure()) : undefined;
  }

  /** @param urn empty: it concerns all of the update */
  about(urn: string): Tell {
    return {
      warn: (message) => this.#send(LogSeverity.WARNING, urn, message),
      inform: (message) => this.#send(LogSeverity.INFO, urn, message),
    };
  }

  /** A line that does not get through must not fail a hook: the secret of a create would be lost. */
  async #send(severity: LogSeverity, urn: string, message: string): Promise<void> {
    const request = new LogRequest().setSeverity(severity).setMessage(message).setUrn(urn);
    const options = { deadline: Date.now() + patience };
    const sent = new Promise(
      (resolve) => this.#engine?.log(request, new Metadata(), options, resolve) ?? resolve(false),
    );
    await sent.catch(() => undefined);
  }
}
