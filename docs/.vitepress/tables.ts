import { escapeHtml, type Markdown, type Token } from "./markdownIt.js";

/**
 * Tables that fit: each cell names its column, for the style that shows a row as a card in a narrow window, and long code in
 * a cell may be broken between its words.
 */
export const tables = (markdown: Markdown) => {
  markdown.core.ruler.push("tables", ({ tokens }) => {
    for (const [index, token] of tokens.entries()) if (token.type === "table_open") prepareTable(tokens, index);
  });
};

function prepareTable(tokens: readonly Token[], start: number): void {
  const headings: string[] = [];
  let column = 0;
  for (const [index, token] of tokens.entries()) {
    if (index <= start) continue;
    if (token.type === "table_close") break;
    if (token.type === "tr_open") column = 0;
    const content = tokens[index + 1];
    if (token.type === "th_open") headings.push(textOf(content));
    if (token.type !== "td_open") continue;
    token.attrSet("data-label", headings[column] ?? "");
    for (const piece of content?.children ?? []) allowBreaks(piece);
    column += 1;
  }
}

const textOf = (token: Token | undefined): string => (token?.children ?? []).map(({ content }) => content).join("");

/** After punctuation, but not after the hyphens of an option, and before the capital of a further word. */
const breaks = /(?<=[./_:,([<|=]|\w-)(?=\w)|(?<=[a-z])(?=[A-Z])/;

function allowBreaks(piece: Token): void {
  const text = piece.content.split(breaks).map(escapeHtml).join("<wbr>");
  if (piece.type === "code_inline") piece.content = `<code v-pre>${text}</code>`;
  else if (piece.type === "text" && piece.content.endsWith("<"))
    piece.content = `${text}<wbr>`; // of a type
  else return;
  piece.type = "html_inline";
}
