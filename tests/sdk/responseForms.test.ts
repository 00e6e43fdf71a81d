import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { connect, failure } from "../support/client";
import { type Behaviour, json, raw, startService } from "../support/service";

const minted = { id: "t1", name: "ci", token: "xaat-secret-of-t1" };

const text = JSON.stringify(minted);

test("requests ask for uncompressed responses", async () => {
  await using service = await startService(json(200, minted));
  await connect(service.url).tokens.create({ name: "ci" });
  expect(service.requests[0]?.headers["accept-encoding"]).toBe("identity");
});

describe("a create succeeds with an unusual form of response", () => {
  test.each<[string, Behaviour]>([
    ["gzip", raw(gzipSync(text), { "content-encoding": "gzip" })],
    ["x-gzip", raw(gzipSync(text), { "content-encoding": "X-GZIP" })],
    ["deflate", raw(deflateSync(text), { "content-encoding": "deflate" })],
    ["deflate without its header", raw(deflateRawSync(text), { "content-encoding": "deflate" })],
    ["brotli", raw(brotliCompressSync(text), { "content-encoding": "br" })],
    ["identity", raw(text, { "content-encoding": "identity" })],
    ["a byte order mark", raw(`\ufeff${text}`)],
    ["gzip and a byte order mark", raw(gzipSync(`\ufeff${text}`), { "content-encoding": "gzip" })],
    [
      "a spec of 1 MiB that takes 6 MiB in the response",
      raw(text.replace("}", `,"description":"${"\\u0078".repeat(1024 * 1024)}"}`)),
    ],
  ])("%s", async (_, behaviour) => {
    await using service = await startService(behaviour);
    expect(await connect(service.url).tokens.create({ name: "ci" })).toMatchObject(minted);
    expect(service.calls).toHaveLength(1);
  });
});

describe("an unreadable compressed response fails the call", () => {
  test.each<[string, Behaviour, string]>([
    ["truncated", raw(gzipSync(text).subarray(0, 30), { "content-encoding": "gzip" }), "Z_BUF_ERROR"],
    ["not compressed at all", raw(text, { "content-encoding": "gzip" }), "Z_DATA_ERROR"],
    ["not compressed by Brotli", raw(text, { "content-encoding": "br" }), "ERR__ERROR_FORMAT_PADDING_2"],
    ["in an unsupported form", raw(text, { "content-encoding": "rot13" }), "UNKNOWN_CONTENT_ENCODING"],
  ])("%s", async (_, behaviour, code) => {
    await using service = await startService(behaviour);
    const error = await failure(connect(service.url).tokens.create({ name: "ci" }));
    expect(error).toMatchObject({ outcome: "unknown", status: 200, cause: { code } });
    expect(error.message).toContain("the response is compressed and cannot be decompressed");
    expect(service.calls).toHaveLength(1);
  });

  test("decompression stops at the largest size of a response", async () => {
    const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024, " "));
    await using service = await startService(raw(bomb, { "content-encoding": "gzip" }));
    const error = await failure(connect(service.url).tokens.create({ name: "ci" }));
    expect(error.message).toContain("the response is larger than 16777216 bytes");
    expect(error.outcome).toBe("unknown");
  });
});

test("a create that is too large for its response to be readable is not sent", async () => {
  await using service = await startService(json(200, minted));
  const description = "ä".repeat(600_000);
  await expect(connect(service.url).tokens.create({ name: "ci", description })).rejects.toThrow(
    "tokens.create: the request is 1200030 bytes long; at most 1048576 are sent, so that the response can be read",
  );
  expect(service.calls).toEqual([]);
});

const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

test("a response that is nested too deeply fails with one clear sentence", async () => {
  await using service = await startService(raw(deep(5_000_000)));
  const error = await failure(connect(service.url).tokens.get("t1"));
  expect(error.message).toMatch(/: (the response has an unexpected form: .*|.*nested too deeply.*)$/);
  expect(error.outcome).toBe("unknown");
});
