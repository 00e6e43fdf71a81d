import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gunzip, zstdDecompress } from "node:zlib";
import { HttpError } from "./httpError";
import { isDeeperThan, isObject, type JsonObject, parseJson } from "./json";

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

/** A request's body before parsing, for handlers that accept more than JSON objects. */
export interface RawBody {
  /** The content type, without parameters and in lower case. */
  readonly contentType: string;
  /** Decompressed. */
  readonly bytes: Buffer;
  /** The headers by name, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export const noBody: RawBody = { contentType: "", bytes: Buffer.alloc(0), headers: {} };

/** @throws HttpError 400, 413 or 415 */
export const readRaw = async (request: IncomingMessage, maxBytes: number): Promise<RawBody> => ({
  contentType: (request.headers["content-type"] ?? "").replace(/;.*$/s, "").trim().toLowerCase(),
  bytes: await read(request, maxBytes),
  headers: Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, readUtf8([value].flat().join(","))]),
  ),
});

/** Clients send labels as UTF-8, which Node.js reads as if each byte were a character. */
const readUtf8 = (text: string): string => Buffer.from(text, "latin1").toString("utf8");

/** The most levels of nesting in a body: far more than any request needs. */
export const maxDepth = 100;

const tooLargeFor = (maxBytes: number) => new HttpError(413, `the body must not be larger than ${maxBytes} bytes`);

type Unpack = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

/** The supported content encodings (RFC 9110, 8.4.1; RFC 8878). */
const unpackers: Readonly<Record<string, Unpack | undefined>> = {
  gzip: promisify(gunzip) as Unpack,
  "x-gzip": promisify(gunzip) as Unpack,
  zstd: promisify(zstdDecompress) as Unpack,
};

/** Codings that change a body. Clients send other words, such as an empty one or "1", for "not encoded". */
const codings = /gzip|zstd|br|deflate|compress|dcb|dcz/;

/** The decompressed body. The limit applies to both sizes, so that a small body cannot fill the memory. */
async function read(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const encoding = (request.headers["content-encoding"] ?? "").trim().toLowerCase();
  if (!codings.test(encoding)) return readSent(request, maxBytes);
  const unpack = unpackers[encoding];
  if (!unpack)
    throw new HttpError(415, "content-encoding: must be gzip, zstd or identity", { "accept-encoding": "gzip, zstd" });
  const packed = await readSent(request, maxBytes);
  try {
    return await unpack(packed, { maxOutputLength: maxBytes });
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLargeFor(maxBytes);
    throw new HttpError(400, `the body is not valid ${encoding}`);
  }
}

async function readSent(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const tooLarge = tooLargeFor(maxBytes);
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw tooLarge;
  const chunks: Buffer[] = [];
  let size = 0;
  // If the loop stops early, the rest is discarded and the connection kept, so that a client that is still sending can
  // read the response.
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
