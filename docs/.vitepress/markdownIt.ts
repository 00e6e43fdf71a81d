/** The parts of a Markdown token that the plugins of the site use. */
export interface Token {
  type: string;
  tag: string;
  content: string;
  attrs: [string, string][] | null;
  readonly children: Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

interface State {
  /** The text of the page, until the blocks are read. */
  src: string;
  readonly tokens: Token[];
  readonly env: { readonly relativePath?: string };
}

export interface Markdown {
  readonly core: {
    readonly ruler: {
      push(name: string, rule: (state: State) => void): unknown;
      before(next: string, name: string, rule: (state: State) => void): unknown;
    };
  };
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? "");
