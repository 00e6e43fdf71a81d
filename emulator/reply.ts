import type { ServerResponse } from "node:http";
import type { HandlerResult } from "./routing";

/** A request in the call log. */
export interface LoggedCall {
  readonly method: string;
  /** The request target as it was sent, query string included; at most 1,000 characters of it. */
  readonly path: string;
  /** Undefined before the response, and if the connection was cut before one. */
  readonly status: number | undefined;
}

/** The response to one request. Every response goes through `start`, so the call log cannot miss one. */
export class Reply {
  readonly #response: ServerResponse;
  readonly #recordStart: (status: number) => void;
  readonly #commonHeaders: () => Readonly<Record<string, string>>;

  /** @param commonHeaders the headers of every response, computed when it starts */
  constructor(
    response: ServerResponse,
    recordStart: (status: number) => void,
    commonHeaders: () => Readonly<Record<string, string>>,
  ) {
    this.#response = response;
    this.#recordStart = recordStart;
    this.#commonHeaders = commonHeaders;
  }

  /** Whether the client has disconnected. */
  get gone(): boolean {
    return this.#response.destroyed;
  }

  send({ status, body, json, file, headers }: HandlerResult): void {
    if (file) this.#sendFile(status, file, headers);
    else if (json) this.#sendFile(status, { contentType: "application/json", content: json }, headers);
    else if (body === undefined) this.start(status, { ...headers }).end();
    else this.sendText(status, "application/json", JSON.stringify(body), headers);
  }

  sendText(status: number, contentType: string, text: string, headers: HandlerResult["headers"] = {}): void {
    const length = String(Buffer.byteLength(text));
    this.start(status, { "content-type": contentType, "content-length": length, ...headers }).end(text);
  }

  #sendFile(
    status: number,
    { contentType, content }: NonNullable<HandlerResult["file"]>,
    headers: HandlerResult["headers"],
  ): void {
    const sent = { "content-type": contentType, "content-length": String(content.length), ...headers };
    this.start(status, sent).end(content);
  }

  /** Sends the headers; the caller sends the body. */
  start(status: number, headers: Record<string, string>): ServerResponse {
    // Responses may contain a secret, which no cache may keep.
    this.#response.writeHead(status, { "cache-control": "no-store", ...this.#commonHeaders(), ...headers });
    this.#recordStart(status);
    return this.#response;
  }

  /** Sends bytes instead of an HTTP response, and closes the connection. */
  sendBytes(bytes: Uint8Array): void {
    this.#response.socket?.end(bytes);
  }

  /** Closes the connection in an orderly way, even in the middle of a response. */
  close(): void {
    this.#response.destroy();
  }

  /** Closes it with a TCP reset. */
  reset(): void {
    this.#response.socket?.resetAndDestroy();
  }
}
