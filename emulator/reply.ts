import type { ServerResponse } from "node:http";
import type { Answer } from "./routing";

/** A request as the call log shows it. */
export interface LoggedCall {
  readonly method: string;
  /** The request target as it was sent, query string included; at most 1,000 characters of it. */
  readonly path: string;
  /** Undefined while there is no answer, and for good if the connection was cut before one. */
  readonly status: number | undefined;
}

/** The answer to one request. Every way to answer goes through `start`, so the call log cannot miss one. */
export class Reply {
  readonly #response: ServerResponse;
  readonly #recordStart: (status: number) => void;
  readonly #commonHeaders: () => Readonly<Record<string, string>>;

  /** @param commonHeaders what every answer carries, asked for at its start */
  constructor(
    response: ServerResponse,
    recordStart: (status: number) => void,
    commonHeaders: () => Readonly<Record<string, string>>,
  ) {
    this.#response = response;
    this.#recordStart = recordStart;
    this.#commonHeaders = commonHeaders;
  }

  /** Nobody is there any more to read what is sent. */
  get gone(): boolean {
    return this.#response.destroyed;
  }

  send({ status, body, json, file, headers }: Answer): void {
    if (file) this.#sendFile(status, file, headers);
    else if (json) this.#sendFile(status, { contentType: "application/json", content: json }, headers);
    else if (body === undefined) this.start(status, { ...headers }).end();
    else this.sendText(status, "application/json", JSON.stringify(body), headers);
  }

  sendText(status: number, contentType: string, text: string, headers: Answer["headers"] = {}): void {
    const length = String(Buffer.byteLength(text));
    this.start(status, { "content-type": contentType, "content-length": length, ...headers }).end(text);
  }

  #sendFile(status: number, { contentType, content }: NonNullable<Answer["file"]>, headers: Answer["headers"]): void {
    const sent = { "content-type": contentType, "content-length": String(content.length), ...headers };
    this.start(status, sent).end(content);
  }

  /** Sends the headers; the body is up to the caller. */
  start(status: number, headers: Record<string, string>): ServerResponse {
    // Answers may hold a secret: no cache may keep one.
    this.#response.writeHead(status, { "cache-control": "no-store", ...this.#commonHeaders(), ...headers });
    this.#recordStart(status);
    return this.#response;
  }

  /** Sends bytes in place of an HTTP answer, and closes the connection. */
  sendBytes(bytes: Uint8Array): void {
    this.#response.socket?.end(bytes);
  }

  /** Closes the connection in an orderly way, whatever was sent so far. */
  close(): void {
    this.#response.destroy();
  }

  /** Closes it with a TCP reset. */
  reset(): void {
    this.#response.socket?.resetAndDestroy();
  }
}
