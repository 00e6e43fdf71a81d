import { readFileSync } from "node:fs";
import path from "node:path";
import { escapeHtml, type Markdown } from "./markdownIt.js";

/**
 * A paragraph that is a link to a recording of a terminal (asciicast v2) becomes a player on the site. Elsewhere it stays a
 * link.
 * @param docs the folder of the pages
 */
export const recordings = (docs: string) => (markdown: Markdown) => {
  markdown.core.ruler.push("recordings", ({ tokens, env }) => {
    for (const [index, token] of tokens.entries()) {
      const [link, text, close, ...more] = tokens[index + 1]?.children ?? [];
      const file = link?.type === "link_open" ? (link.attrGet("href") ?? "") : "";
      if (token.type !== "paragraph_open" || !file.endsWith(".cast") || close?.type !== "link_close" || more.length > 0)
        continue;
      const cast = readFileSync(path.join(docs, path.dirname(env.relativePath ?? ""), file), "utf8");
      token.type = "html_block";
      token.content = `<Recording label="${escapeHtml(text?.content ?? "")}" cast="${escapeHtml(cast)}" />\n`;
      tokens.splice(index + 1, 2);
    }
  });
};
