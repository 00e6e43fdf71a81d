import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { slugify } from "../../docs/.vitepress/headings";
import { CHECKOUT } from "../support/program";

/** A block of code with the language that it names. */
export interface CodeBlock {
  readonly language: string;
  readonly line: number;
  readonly code: string;
  /** The text in brackets after the language: the name of a file, or of another terminal. */
  readonly label: string;
  /** The heading that it stands under. */
  readonly section: string;
  /** The declarations in the comment right before the block. */
  readonly before: string;
}

export interface MarkdownFile {
  /** Relative to the checkout. */
  readonly file: string;
  readonly text: string;
  readonly blocks: readonly CodeBlock[];
  /** Targets of its links and pictures, as they are written. */
  readonly links: readonly string[];
  readonly anchors: ReadonlySet<string>;
}

/** Reads what this project writes of Markdown: headings with `#`, fenced code, links in brackets. */
export function readMarkdown(file: string): MarkdownFile {
  const text = readFileSync(path.join(CHECKOUT, file), "utf8");
  const blocks: CodeBlock[] = [];
  const prose: string[] = [];
  let open:
    | { indent: string; fence: string; language: string; label: string; line: number; lines: string[] }
    | undefined;
  let section = "";
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    if (open === undefined) section = line.match(/^#{1,6} +(.*)$/)?.[1] ?? section;
    const [, indent = "", fence, language = "", label = ""] = line.match(/^(\s*)(```+)(\w*)(?: \[(.+)\])?/) ?? [];
    if (open === undefined && fence !== undefined) {
      open = { indent, fence, language, label, line: index + 2, lines: [] };
    } else if (open !== undefined && fence === open.fence && language === "") {
      const before = lines.slice(0, open.line - 2).join("\n");
      const declared = before.match(/<!-- before this code:((?:(?!-->)[\s\S])*)-->\s*(?:From \[.*:\s*)?$/)?.[1] ?? "";
      const { language, label, line, lines: code } = open;
      blocks.push({ language, label, section, line, code: code.join("\n"), before: declared });
      open = undefined;
    } else if (open) open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
    else prose.push(line);
  }
  if (open) throw new Error(`${file}:${open.line}: this block of code has no end`);
  return { file, text, blocks, links: linksOf(prose), anchors: anchorsOf(prose) };
}

function linksOf(prose: readonly string[]): string[] {
  // Pieces of code are text: whatever looks like a link there is none.
  const text = prose.join("\n").replaceAll(/`[^`\n]+`/g, "code");
  const inline = [...text.matchAll(/\]\(([^()\s]+(?:\([^()\s]*\))?)(?:\s+"[^"]*")?\)/g)];
  const attributes = [...text.matchAll(/\b(?:src|href|srcset)="([^"]+)"/g)];
  return [...inline, ...attributes].map(([, target]) => target ?? "");
}

function anchorsOf(prose: readonly string[]): Set<string> {
  const anchors = new Set<string>();
  for (const line of prose) {
    const heading = line.match(/^#{1,6} +(.*)$/)?.[1];
    if (heading === undefined) continue;
    const plain = slugify(heading.replaceAll(/\]\([^)]*\)/g, "").replaceAll(/[`*[\]]/g, ""));
    let anchor = plain;
    for (let n = 1; anchors.has(anchor); n++) anchor = `${plain}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Every page of the site that is written by hand. */
export function pagesOfSite(): string[] {
  return readdirSync(path.join(CHECKOUT, "docs"), { recursive: true, encoding: "utf8" })
    .filter(
      (file) =>
        file.endsWith(".md") && !file.startsWith(".") && !file.startsWith(path.join("reference", "api", path.sep)),
    )
    .map((file) => path.posix.join("docs", file.split(path.sep).join("/")))
    .sort();
}
