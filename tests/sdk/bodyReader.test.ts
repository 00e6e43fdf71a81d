import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, jest, test } from "@jest/globals";
import { BodyReader } from "../../sdk/bodyReader";

const secret = '{"token":"xaat-secret-ä"}';

const isBlank = (bytes: Uint8Array) => bytes.every((byte) => byte === 0);

/** Gives a reader the body in two parts, as a connection may. */
function read(encoding: string | undefined, body: Buffer, maxBytes = 1_000) {
  // The last part begins inside a character.
  const parts = [body.subarray(0, -4), body.subarray(-4)].map((part) => Buffer.from(part));
  const reader = new BodyReader(encoding, maxBytes);
  const failures = parts.map((part) => reader.add(part));
  return { parts, reader, failures };
}

describe("the bytes of a response are overwritten", () => {
  test.each([
    ["as soon as they are text", undefined, Buffer.from(secret)],
    ["after gzip", "gzip", gzipSync(secret)],
    ["after brotli", "br", brotliCompressSync(secret)],
  ])("%s", async (_, encoding, body) => {
    const { parts, reader } = read(encoding, body);
    if (encoding === undefined) expect(parts.map(isBlank)).toEqual([true, true]);
    expect(await reader.end()).toBe(secret);
    expect(parts.map(isBlank)).toEqual([true, true]);
  });

  test("also if they cannot be decompressed, or are too large", async () => {
    const cut = read("gzip", gzipSync(secret).subarray(0, 30));
    await expect(cut.reader.end()).rejects.toThrow();
    const large = read(undefined, Buffer.from(secret), 10);
    expect(large.failures[0]).toMatchObject({ code: "RESPONSE_TOO_LARGE" });
    const packed = read("gzip", gzipSync(secret), gzipSync(secret).length - 1);
    expect(packed.failures).toEqual([undefined, expect.objectContaining({ code: "RESPONSE_TOO_LARGE" })]);
    expect([cut, large, packed].flatMap(({ parts }) => parts.map(isBlank))).toEqual(Array(6).fill(true));
  });

  test("also those of a body that will not be complete, and of the copy that is decompressed", async () => {
    const stopped = read("gzip", gzipSync(secret));
    stopped.reader.discard();
    expect(stopped.parts.map(isBlank)).toEqual([true, true]);
    const concatenated = jest.spyOn(Buffer, "concat");
    expect(await read("gzip", gzipSync(secret)).reader.end()).toBe(secret);
    const [copy = Buffer.alloc(0)] = concatenated.mock.results.map(({ value }) => value as Buffer);
    concatenated.mockRestore();
    expect([copy?.length, isBlank(copy)]).toEqual([gzipSync(secret).length, true]);
  });
});
