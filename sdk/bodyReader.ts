import { StringDecoder } from "node:string_decoder";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw } from "node:zlib";

/** The failure of a response that exceeds its largest size. */
export const tooLargeCode = "RESPONSE_TOO_LARGE";

/** The failure of a response that is compressed in an unsupported form. */
export const unknownEncodingCode = "UNKNOWN_CONTENT_ENCODING";

type Decompress = (body: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

/** Some servers omit the header of `deflate`: its first byte would hold the method 8. */
const inflateAny: Decompress = (body, options) =>
  promisify(((body[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw)(body, options);

/**
 * Requests ask for no compression. A proxy may compress anyway, and if a create's response is not read, its token is
 * lost.
 */
const decompressors = new Map<string, Decompress>([
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", inflateAny],
  ["br", promisify(brotliDecompress)],
]);

/**
 * Collects the body of one response as text. A response to a create contains a secret, so the bytes of every response are
 * overwritten once they are text, or cannot become text. After a failure in the middle of a body, `discard` overwrites them.
 */
export class BodyReader {
  readonly #encoding: string;
  readonly #maxBytes: number;
  #size = 0;
  // Decoded as they arrive, so that a large response is not in memory twice, as bytes and as text.
  readonly #decoder = new StringDecoder("utf8");
  readonly #texts: string[] = [];
  readonly #compressed: Buffer[] = [];

  /** @param encoding the header `Content-Encoding` */
  constructor(encoding: string | undefined, maxBytes: number) {
    this.#encoding = encoding?.trim().toLowerCase() || "identity";
    this.#maxBytes = maxBytes;
  }

  /**
   * Takes over the chunk and overwrites it.
   * @returns a failure if the body became too large
   */
  add(chunk: Buffer): Error | undefined {
    this.#size += chunk.length;
    if (this.#size > this.#maxBytes) {
      overwrite([chunk, ...this.#compressed.splice(0)]);
      return makeError(tooLargeCode);
    }
    if (this.#encoding === "identity") this.#decode(chunk);
    else this.#compressed.push(chunk);
    return undefined;
  }

  /**
   * The whole body, without a byte order mark.
   * @throws Error with a `code`, for a body that cannot be decompressed or is then too large
   */
  async end(): Promise<string> {
    if (this.#compressed.length > 0) this.#decode(await this.#decompress());
    this.#texts.push(this.#decoder.end());
    const body = this.#texts.splice(0).join("");
    return body.startsWith("\ufeff") ? body.slice(1) : body;
  }

  /** Overwrites the bytes of a body that will not be complete. */
  discard(): void {
    overwrite(this.#compressed.splice(0));
    this.#texts.length = 0;
  }

  #decode(bytes: Buffer): void {
    this.#texts.push(this.#decoder.write(bytes));
    overwrite([bytes]);
  }

  async #decompress(): Promise<Buffer> {
    const chunks = this.#compressed.splice(0);
    const body = Buffer.concat(chunks);
    try {
      const decompress = decompressors.get(this.#encoding);
      if (!decompress) throw makeError(unknownEncodingCode);
      return await decompress(body, { maxOutputLength: this.#maxBytes });
    } catch (e) {
      throw (e as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? makeError(tooLargeCode) : e;
    } finally {
      overwrite([body, ...chunks]);
    }
  }
}

function overwrite(buffers: readonly Buffer[]): void {
  for (const buffer of buffers) buffer.fill(0);
}

export const makeError = (code: string): Error => Object.assign(new Error(code), { code });
