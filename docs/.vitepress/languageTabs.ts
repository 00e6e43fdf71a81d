import type { Markdown } from "./markdownIt.js";

/**
 * Shows the generated examples of a resource as tabs, one for each language. A code host shows the blocks one below the
 * other: it ignores the comments around them.
 */
export function languageTabs(markdown: Markdown): void {
  markdown.core.ruler.before("block", "language-tabs", (state) => {
    const { src } = state;
    state.src = src.replaceAll(/<!-- example of \w+ -->\n([\s\S]*?)<!-- end -->/g, "::: code-group\n$1:::");
  });
}
