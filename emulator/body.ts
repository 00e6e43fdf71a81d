import type { IncomingMessage } from "node:http";
import { HttpError } from "./httpError";
import { isObject, type JsonObject, parseJson } from "./json";

/**
 * The request's JSON object.
 * @throws HttpError
 */
export async function readJson(request: IncomingMessage, maxBytes: number): Promise<JsonObject> {
  if (!/^application\/json *(;|$)/i.test(request.headers["content-type"] ?? ""))
    throw new HttpError(415, "the body must be JSON, with content-type: application/json");
  const bytes = await read(request, maxBytes);
  const parsed = parseJson(bytes.toString("utf8"));
  if (!parsed) throw new HttpError(400, "the body is not valid JSON");
  if (!isObject(parsed.value)) throw new HttpError(400, "the body must be a JSON object");
  if (isDeeperThan(parsed.value, maxDepth)) throw new HttpError(400, "the body is nested too deeply");
  return parsed.value;
}

/** A request's body as it came, for handlers that read more than JSON objects. */
export interface RawBody {
  /** Without parameters, in lower case. */
  readonly contentType: string;
  readonly bytes: Buffer;
}

export const noBody: RawBody = { contentType: "", bytes: Buffer.alloc(0) };

/** @throws HttpError 413 */
export const readRaw = async (request: IncomingMessage, maxBytes: number): Promise<RawBody> => ({
  contentType: (request.headers["content-type"] ?? "").replace(/;.*$/s, "").trim().toLowerCase(),
  bytes: await read(request, maxBytes),
});

/** Far more than any request needs. What JSON.parse takes can be too deep for JSON.stringify. */
const maxDepth = 100;

const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1)));

async function read(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const tooLarge = new HttpError(413, `the body must not be larger than ${maxBytes} bytes`);
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw tooLarge;
  const chunks: Buffer[] = [];
  let size = 0;
  // When the loop ends early the rest is discarded and the connection kept, so that a client that is still sending gets to
  // read the answer.
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge;
      chunks.push(chunk);
    }
  } catch (failure) {
    request.resume();
    if (failure === tooLarge) throw failure;
    throw new HttpError(400, "the body ended early"); // the client is gone
  }
  return Buffer.concat(chunks);
}
