import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { findSecret } from "../support/secrets";
import { makeFolder } from "../support/suite";

const canary = 'cnry-"<&>"\\/+%7 é-0123456789';
const plain = "cnry-0123456789-abcdef";
const wide = (text: string) =>
  [...Array(text.length).keys()].map((i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, "0")}`).join("");

const formsIn = async (text: string, secret: string) =>
  (await findSecret({ texts: { text } }, secret)).map((hit) => hit.form);

describe("a secret in a text is found", () => {
  test.each([
    ["as it is", "raw", canary],
    ["cut off after 10 characters", "prefix", `${canary.slice(0, 10)}…`],
    ["at the start of a base64 text", "base64, offset 0", Buffer.from(`${canary} and more`).toString("base64")],
    ["one byte into a base64 text", "base64, offset 1", Buffer.from(`x${canary} and more`).toString("base64")],
    ["two bytes into a base64 text", "base64, offset 2", Buffer.from(`xy${canary}`).toString("base64")],
    ["far into a base64 text", "base64, offset 1", Buffer.from(`${"z".repeat(100)}${canary}.`).toString("base64")],
    ["in the URL alphabet of base64", "base64, offset 2", Buffer.from(`::${canary}`).toString("base64url")],
    ["in hex", "hex", Buffer.from(canary).toString("hex")],
    ["in upper-case hex", "hex", Buffer.from(canary).toString("hex").toUpperCase()],
    ["in a URL", "URL-encoded", new URL(`http://h/?q=${encodeURIComponent(canary)}`).href],
    ["in a form", "URL-encoded", new URLSearchParams({ q: canary }).toString()],
    ["with every byte in per cents", "percent-encoded", Buffer.from(canary).toString("hex").replace(/../g, "%$&")],
    ["in JSON", "JSON-escaped", JSON.stringify({ a: canary })],
    ["in JSON that is safe for HTML", "JSON-escaped", JSON.stringify(canary).replace(/[<>&]/g, wide)],
    ["in JSON within JSON", "JSON-escaped", JSON.stringify(JSON.stringify({ a: canary }))],
    ["in unicode escapes", "unicode escapes", wide(canary)],
  ])("%s", async (_, form, text) => {
    expect(await formsIn(`before ${text} after`, canary)).toContain(form);
  });
});

describe("in a folder", () => {
  test("every file of the tree is searched, compressed ones too, and the hit names the file", async () => {
    const folder = makeFolder();
    await mkdir(path.join(folder, "stacks", ".history"), { recursive: true });
    const file = path.join(folder, "stacks", ".history", "dev.json");
    await writeFile(file, JSON.stringify({ token: plain }));
    await writeFile(`${file}.gz`, gzipSync(`x${plain}`));
    await writeFile(path.join(folder, "clean.json"), "{}");

    const hits = await findSecret({ folders: [folder] }, plain);

    expect(
      hits
        .filter((hit) => hit.form === "raw")
        .map((hit) => hit.where)
        .sort(),
    ).toEqual([file, `${file}.gz`]);
    expect(hits.some((hit) => hit.where.endsWith("clean.json"))).toBe(false);
  });
});
