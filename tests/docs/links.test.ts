import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { groups } from "../../docs/.vitepress/pages";
import { CHECKOUT } from "../support/program";
import { pagesOfSite, readMarkdown } from "./markdown";

/** Where a link of ours may lead. */
const hosts = ["axiom.co", "nodejs.org", "www.npmjs.com", "www.pulumi.com", "yarnpkg.com"];

const examples = readdirSync(path.join(CHECKOUT, "examples")).map((name) => `examples/${name}/README.md`);
const written = [
  "README.md",
  "SECURITY.md",
  "AGENTS.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "bench/RESULTS.md",
  "emulator/README.md",
  "emulator/apl/README.md",
  "framework/README.md",
  "sdk/interface/documented.md",
  "sdk/interface/extended.md",
  ...examples,
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

describe.each(written)("$file", ({ file, links }) => {
  test("leads to files and headings that exist, and to known hosts", () => {
    expect(links.flatMap((link) => findFault(file, link) ?? [])).toEqual([]);
  });
});

function findFault(file: string, link: string): string | undefined {
  if (/^[a-z]+:/i.test(link)) {
    const url = new URL(link);
    return url.protocol === "https:" && hosts.includes(url.hostname) ? undefined : `${link}: not a host on the list`;
  }
  const [target = "", anchor] = link.split("#");
  const there = target === "" ? file : path.posix.join(path.posix.dirname(file), target);
  const absolute = path.join(CHECKOUT, there);
  if (!existsSync(absolute)) return `${link}: no such file`;
  if (anchor === undefined) return undefined;
  if (statSync(absolute).isDirectory()) return `${link}: a folder has no headings`;
  return (anchorsOf.get(there) ?? readMarkdown(there).anchors).has(anchor) ? undefined : `${link}: no such heading`;
}
