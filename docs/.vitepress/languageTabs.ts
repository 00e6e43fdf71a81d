import type { Markdown } from "./markdownIt.js";

/**
 * Shows the generated examples of a resource or a function as tabs, one for each language. A code host shows the blocks one
 * below the other.
 */
export function languageTabs(markdown: Markdown): void {
  markdown.core.ruler.before("block", "language-tabs", (state) => {
    const { src } = state;
    state.src = src.replaceAll(
      /^```ts \[TypeScript\]\n[\s\S]*?^```yaml \[YAML\]\n[\s\S]*?^```$/gm,
      "::: code-group\n$&\n:::",
    );
  });
}
