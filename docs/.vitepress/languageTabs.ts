import type { Markdown } from "./markdownIt.js";

/** The labels of the blocks that say the same in several languages, and what follows the reader's choice. */
export const languages = ["TypeScript", "Python", "Go", "YAML"] as const;

/** A block in one language, in a list item or not. */
const block = "( *)```\\w+ \\[(?:LABELS)\\]\\n[\\s\\S]*?^\\N```$".replace("LABELS", languages.join("|"));

/** Blocks with nothing but an empty line between them. */
const group = new RegExp(`^${block.replace("\\N", "\\1")}(?:\\n\\n${block.replace("\\N", "\\2")})+`, "gm");

/** Shows examples in several languages as tabs. A code host shows the blocks one below the other. */
export function languageTabs(markdown: Markdown): void {
  markdown.core.ruler.before("block", "language-tabs", (state) => {
    state.src = state.src.replaceAll(group, (blocks, indent) => `${indent}::: code-group\n${blocks}\n${indent}:::`);
  });
}
