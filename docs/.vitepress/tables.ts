import { escapeHtml, type Markdown, type Token } from "./markdownIt.js";

/** The page whose arguments and outputs have a name in each language. */
const reference = "reference/resources.md";

/**
 * Tables that fit: each cell names its column, for the style that shows a row as a card in a narrow window, and long code in
 * a cell may be broken between its words. The names in the reference follow the reader's choice of a language.
 */
export const tables = (markdown: Markdown) => {
  markdown.core.ruler.push("tables", ({ tokens, env }) => {
    const hasNames = env?.relativePath === reference;
    for (const [index, token] of tokens.entries())
      if (token.type === "table_open") prepareTable(tokens, index, hasNames);
  });
};

function prepareTable(tokens: readonly Token[], start: number, hasNames: boolean): void {
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
    const isName = hasNames && column === 0 && headings[0] === "Name";
    for (const piece of content?.children ?? [])
      if (isName && piece.type === "code_inline") spellName(piece);
      else allowBreaks(piece);
    column += 1;
  }
}

const textOf = (token: Token | undefined): string => (token?.children ?? []).map(({ content }) => content).join("");

/** The name in each language: the style shows one of them. Python adds `_` to the names of its keywords. */
function spellName(piece: Token): void {
  const name = piece.content;
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const spelled = {
    typescript: name,
    python: name === "for" ? "for_" : snake,
    go: `${name[0]?.toUpperCase()}${name.slice(1)}`,
  };
  const spans = Object.entries(spelled).map(
    ([language, text]) => `<span class="in-${language}">${withBreaks(text)}</span>`,
  );
  piece.content = `<code v-pre>${spans.join("")}</code>`;
  piece.type = "html_inline";
}

/** After punctuation, but not after the hyphens of an option, and before the capital of a further word. */
const breaks = /(?<=[./_:,([<|=]|\w-)(?=\w)|(?<=[a-z])(?=[A-Z])/;

const withBreaks = (text: string): string => text.split(breaks).map(escapeHtml).join("<wbr>");

/** A short word, such as an option, which stays in one piece. */
const isShortWord = (text: string): boolean => text.length <= 14 && !/\s/.test(text);

function allowBreaks(piece: Token): void {
  const text = withBreaks(piece.content);
  if (piece.type === "code_inline")
    piece.content = isShortWord(piece.content)
      ? `<code v-pre style="white-space: nowrap">${escapeHtml(piece.content)}</code>`
      : `<code v-pre>${text}</code>`;
  else if (piece.type === "text" && piece.content.endsWith("<"))
    piece.content = `${text}<wbr>`; // of a type
  else return;
  piece.type = "html_inline";
}
