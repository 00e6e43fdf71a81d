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

  /** The next characters; fewer at the end. */
  peekMany(count: number): string {
    return this.#characters.slice(this.#at, this.#at + count).join("");
  }

  peek(text: string): boolean {
    return this.peekMany(text.length) === text;
  }

  /** Consumes the text if it comes next. */
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

  /** Consumes everything up to and including a text. @throws PatternError if the text does not follow */
  takeUntil(end: string): string {
    let text = "";
    while (!this.take(end)) text += this.next();
    return text;
  }
}
