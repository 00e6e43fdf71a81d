import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { rootToken, start } from "./harness";

/** Recorded by `npm run witnesses`, while the client itself accepted every response. */
interface Recording {
  readonly client: string;
  readonly requests: readonly {
    /** `{0}` stands for the id of the first object in a response, and so on. */
    readonly line: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly status: number;
    readonly members: readonly string[];
  }[];
}

const folder = path.join(__dirname, "../fixtures/witnesses");
const recordings = readdirSync(folder).map(
  (file): Recording => JSON.parse(readFileSync(path.join(folder, file), "utf8")),
);

const packers: Readonly<Record<string, (text: string) => Uint8Array>> = { gzip: gzipSync, zstd: zstdCompressSync };

test("the README lists the recorded clients, each with the number of its requests", () => {
  const readme = readFileSync(path.join(__dirname, "../../emulator/README.md"), "utf8");
  const listed = [...readme.matchAll(/^\| `(.+)` (.+?) +\| (\d+) +\|$/gm)].map(([, name, version, requests]) => [
    `${name} ${version}`,
    Number(requests),
  ]);
  expect(listed.sort()).toEqual(recordings.map(({ client, requests }) => [client, requests.length]).sort());
});

describe.each(recordings)("the requests of $client", ({ requests }) => {
  test("get the responses that the client accepts", async () => {
    await using emulator = await start({ profile: "extended" });
    const ids: string[] = [];
    const answered = [];
    for (const { line, headers, body } of requests) {
      const [method = "", target = ""] = line.replace(/\{(\d+)\}/g, (_, n) => ids[n] ?? "").split(" ");
      const packed = packers[headers["content-encoding"] ?? ""]?.(body) ?? body;
      const sent = { method, headers: { authorization: `Bearer ${rootToken}`, ...headers } };
      const content = ["GET", "DELETE"].includes(method) ? {} : { body: packed };
      const answer = await fetch(`${emulator.url}${target}`, { ...sent, ...content } as RequestInit);
      const text = await answer.text();
      const parsed = text === "" ? {} : JSON.parse(text);
      if (typeof parsed.id === "string" && !ids.includes(parsed.id)) ids.push(parsed.id);
      answered.push({ line, status: answer.status, members: Object.keys(parsed).sort() });
    }
    expect(answered).toEqual(requests.map(({ line, status, members }) => ({ line, status, members })));
  });
});
