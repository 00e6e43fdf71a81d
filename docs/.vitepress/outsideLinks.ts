import path from "node:path";
import type { Markdown, Token } from "./markdownIt.js";

/**
 * Links out of `docs/` work in a clone and in the package, where the files are. On the site they lead to the page of the
 * example, or to the repository; while no repository is set, their text stands without a link.
 * @param repository its address, if the release has one
 */
export const outsideLinks = (repository: string | undefined) => (markdown: Markdown) => {
  markdown.core.ruler.push("outside-links", ({ tokens, env }) => {
    for (const { children } of tokens) rewrite(children ?? [], env.relativePath ?? "", repository);
  });
};

function rewrite(tokens: Token[], page: string, repository: string | undefined): void {
  let unlinked = false;
  for (const token of tokens) {
    const opens = token.type === "link_open";
    const target = opens ? resolveOutside(page, token.attrGet("href") ?? "") : undefined;
    if (target !== undefined && repository !== undefined) token.attrSet("href", `${repository}/blob/HEAD/${target}`);
    if (opens) unlinked = target !== undefined && repository === undefined;
    if (!unlinked || (!opens && token.type !== "link_close")) continue;
    token.type = opens ? "span_open" : "span_close";
    token.tag = "span";
    token.attrs = null;
    if (!opens) unlinked = false;
  }
}

/** The path in the repository of a link that leaves `docs/`. */
function resolveOutside(page: string, href: string): string | undefined {
  if (/^([a-z]+:|#|\/)/.test(href)) return undefined;
  const target = path.posix.join("docs", path.posix.dirname(page), href);
  return target.startsWith("docs/") ? undefined : target;
}
