// @ts-check
// Each page as Markdown beside its HTML, and llms.txt, which lists them: for readers that are programs.
import fs from "node:fs/promises";
import path from "node:path";
import { loadSource } from "../generate/sources.mjs";

/** @typedef {import("../../docs/.vitepress/pages.js").Group} Group */

/** @param {string} root @param {string} site */
export async function writeMarkdownPages(root, site) {
  /** @type {{ groups: readonly Group[] }} */
  const { groups } = await loadSource(root, "docs/.vitepress/pages.ts");
  const sections = groups.map(async ({ text, pages }) => {
    const lines = pages.map(async ({ text: title, page }) => {
      const markdown = withoutMarks(await fs.readFile(path.join(root, "docs", `${page}.md`), "utf8"));
      await fs.mkdir(path.dirname(path.join(site, page)), { recursive: true });
      await fs.writeFile(path.join(site, `${page}.md`), markdown);
      return `- [${title}](${page}.md): ${firstSentenceOf(markdown)}`;
    });
    return `## ${text}\n\n${(await Promise.all(lines)).join("\n")}`;
  });
  await fs.writeFile(path.join(site, "llms.txt"), `${[introduction, ...(await Promise.all(sections))].join("\n\n")}\n`);
}

const introduction = `# pulumi-event-datasets

> Pulumi resources for Axiom: API tokens that rotate before they expire, annotations of deployments, query gates, and an audit of
> tokens. Works with any service that has Axiom's API. Not an official product of Axiom.

Install with \`npm install pulumi-event-datasets\`. Each page below is Markdown; the same address with \`.html\` is for people.`;

/** The comments are for the tests and the generators. @param {string} text */
const withoutMarks = (text) => text.replaceAll(/^ *<!--[\s\S]*?-->\n\n?/gm, "");

/** Of the first paragraph that is text. @param {string} markdown */
function firstSentenceOf(markdown) {
  const paragraph = markdown.split("\n\n").find((part) => /^[A-Z]/.test(part)) ?? "";
  const text = paragraph.replaceAll("\n", " ").replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return /^.*?[.:](?= |$)/.exec(text)?.[0] ?? text;
}
