import type { Markdown } from "./markdownIt.js";

const picture =
  /<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">\s*<img ([^>]*?)src="([^"]+)"([^>]*)>\s*<\/picture>/g;

/**
 * A `<picture>` with a dark form follows the browser's colour scheme, and not the switch of the site. So the site gets both
 * forms, and its style shows one of them.
 */
export const pictures = (markdown: Markdown) => {
  markdown.core.ruler.push("pictures", ({ tokens }) => {
    for (const token of tokens)
      if (token.type === "html_block") token.content = token.content.replace(picture, bothForms);
  });
};

const bothForms = (_: string, dark: string, before: string, light: string, after: string): string =>
  [
    ["in-light", light],
    ["in-dark", dark],
  ]
    .map(([name, file]) => `<img class="${name}" loading="lazy" ${before}src="${file}"${after}>`)
    .join("");
