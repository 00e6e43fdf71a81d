import { PatternError } from "./syntax";

/** A pattern's text, read from left to right. */
export class PatternText {
  readonly #characters: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#characters = [...text];
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#characters.length;
  }

  /** The next characters, or as many as there are. */
  ahead(count: number): string {
    return this.#characters.slice(this.#at, this.#at + count).join("");
  }

  peek(text: string): boolean {
    return this.ahead(text.length) === text;
  }

  /** Reads on if this comes next. */
  take(text: string): boolean {
    const found = this.peek(text);
    if (found) this.#at += [...text].length;
    return found;
  }

  /** @throws PatternError at the end */
  next(): string {
    const character = this.#characters[this.#at];
    if (character === undefined) throw new PatternError("the pattern ends too early");
    this.#at += 1;
    return character;
  }

  /** Reads on beyond a text. @throws PatternError if it does not come */
  until(end: string): string {
    let text = "";
    while (!this.take(end)) text += this.next();
    return text;
  }
}
