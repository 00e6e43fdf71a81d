import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { groups } from "../../docs/.vitepress/pages";
import { filesBelow } from "../support/checkout";
import { CHECKOUT } from "../support/program";
import { pagesOfSite, readMarkdown } from "./markdown";

/** Where a link of ours may lead. */
const hosts = ["axiom.co", "img.shields.io", "nodejs.org", "www.npmjs.com", "www.pulumi.com", "yarnpkg.com"];

const readmesBelow = (folder: string) =>
  readdirSync(path.join(CHECKOUT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md") && !file.includes("node_modules"))
    .map((file) => path.posix.join(folder, file));
const written = [
  "README.md",
  "SECURITY.md",
  "AGENTS.md",
  "CHANGELOG.md",
  "CODE_OF_CONDUCT.md",
  "CONTRIBUTING.md",
  "bench/RESULTS.md",
  "emulator/README.md",
  "emulator/apl/README.md",
  "framework/README.md",
  "sdk/interface/documented.md",
  "sdk/interface/extended.md",
  ...readmesBelow("examples"),
  ...readmesBelow("design"),
  ...pagesOfSite(),
].map(readMarkdown);
const anchorsOf = new Map(written.map(({ file, anchors }) => [file, anchors]));

test("every page is in the sidebar once, and the sidebar names no other", () => {
  const listed = groups.flatMap(({ pages }) => pages.map(({ page }) => `docs/${page}.md`));
  expect([...listed].sort()).toEqual(pagesOfSite());
});

test("every page has one title", () => {
  const titles = written.map(({ file, text }) => ({
    file,
    titles: text.replaceAll(/^```[\s\S]*?^```/gm, "").match(/^# .+$/gm)?.length ?? 0,
  }));
  expect(titles.filter(({ titles }) => titles !== 1)).toEqual([]);
});

test("every link leads to a file and a heading that exist, or to a known host", () => {
  const faults = written.flatMap(({ file, links }) => links.flatMap((link) => findFault(file, link) ?? []));
  expect(faults).toEqual([]);
});

test("every promise names tests that exist", () => {
  const rows = readMarkdown("design/promises.md")
    .text.split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (?:When|Promise|-)/.test(line));
  expect(rows.length).toBeGreaterThan(40);
  const testsOf = (row: string) => row.match(/(?<=`)tests\/[^`]+(?:\.test\.ts|\/)(?=`)/g) ?? [];
  expect(rows.filter((row) => testsOf(row).length === 0)).toEqual([]);
  expect(rows.flatMap(testsOf).filter((name) => !existsSync(path.join(CHECKOUT, name)))).toEqual([]);
});

test("every suite belongs to a promise, by its own name or that of its folder", () => {
  const { text } = readMarkdown("design/promises.md");
  const all = readdirSync(path.join(CHECKOUT, "tests"), { recursive: true, encoding: "utf8" });
  const suites = all.filter((file) => file.endsWith(".test.ts")).map((file) => `tests/${file}`);
  expect(suites.length).toBeGreaterThan(200);
  const isNamed = (file: string) => text.includes(`\`${file}\``) || text.includes(`\`${path.dirname(file)}/\``);
  expect(suites.filter((file) => !isNamed(file))).toEqual([]);
});

function findFault(file: string, link: string): string | undefined {
  if (/^[a-z]+:/i.test(link)) {
    const url = new URL(link);
    return url.protocol === "https:" && hosts.includes(url.hostname)
      ? undefined
      : `${file}: ${link}: not a host on the list`;
  }
  // Pages of the repository's own site: `scripts/release.mjs` writes their address into the package.
  if (/^\.\.\/\.\.\/(?:actions|security)\//.test(link) && !file.includes("/")) return undefined;
  const [target = "", anchor] = link.split("#");
  const there = target === "" ? file : path.posix.join(path.posix.dirname(file), target);
  const absolute = path.join(CHECKOUT, there);
  if (!existsSync(absolute)) return `${file}: ${link}: no such file`;
  if (anchor === undefined) return undefined;
  if (statSync(absolute).isDirectory()) return `${file}: ${link}: a folder has no headings`;
  return (anchorsOf.get(there) ?? readMarkdown(there).anchors).has(anchor)
    ? undefined
    : `${file}: ${link}: no such heading`;
}

/** The texts of the sources. `…` stands for an inserted value; texts that the code joins with a space are one text. */
function readMessages(): string {
  const files = ["values", "sdk", "framework", "gate", "provider", "cli"].flatMap((folder) =>
    filesBelow(folder, /\.ts$/).map((file) => readFileSync(path.join(CHECKOUT, file), "utf8")),
  );
  return files
    .join("\n")
    .replaceAll(/\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, "…")
    .replaceAll(/["`],\s+["`]/g, " ");
}

test("every message of the troubleshooting page is one that the code can say", () => {
  const { text } = readMarkdown("docs/guides/troubleshooting.md");
  const headings = text.slice(text.indexOf("\n## Installation")).match(/^### .*$/gm) ?? [];
  const messages = headings.map((heading) => heading.match(/^### `(.+)`$/)?.[1] ?? `${heading}: quotes no message`);
  expect(messages.length).toBeGreaterThan(20);
  const said = readMessages();
  const invented = messages.filter((message) => !said.includes(message) && !isSaidInPieces(said, message));
  expect(invented).toEqual([]);
});

/** A text whose variable part is a whole sentence of code: its fixed parts must be there, in words enough to be told apart. */
const isSaidInPieces = (said: string, message: string): boolean =>
  message.split("…").every((piece) => said.includes(piece.trim())) && message.replaceAll("…", "").trim().length > 12;
