/** Text that `JSON.stringify` takes over as it is; the compiler's library does not have it yet. */
const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): object };

type Container = unknown[] | Record<string, unknown>;

/**
 * Parses JSON without rounding: an integer that a `number` cannot hold becomes a `bigint`. No object of the result
 * has a prototype.
 *
 * `JSON.parse` does the work, and a walk over the text then replaces the integers that it rounded. A reviver that
 * reads `context.source` would be shorter, but it is called for every value: for 50 MB it took 4 to 33 times as long
 * as `JSON.parse` alone, and it overflows the stack on deep nesting. The walk took 1.3 to 4 times as long; more only
 * for 50 MB of blanks, which took 0.3 s.
 * @throws SyntaxError that quotes the text
 */
export function parseExact(text: string): unknown {
  const holder = [JSON.parse(text)];
  removePrototypes(holder);
  replaceRounded(text, holder);
  return holder[0];
}

/** Without recursion: nesting has no bound. */
function removePrototypes(holder: unknown[]): void {
  const left: Container[] = [holder];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at++) {
        const member = value[at];
        if (isContainer(member)) left.push(member);
      }
    } else {
      Object.setPrototypeOf(value, null);
      for (const member of Object.values(value)) if (isContainer(member)) left.push(member);
    }
  }
}

const isContainer = (value: unknown): value is Container => typeof value === "object" && value !== null;

/**
 * The characters that JSON is made of. `space` is also the one bit in which a small letter differs from a large one.
 */
const [space, quote, comma, minus, point, zero, nine, colon] = [32, 34, 44, 45, 46, 48, 57, 58] as const;
const [openList, backslash, closeList, smallE, openObject, closeObject] = [91, 92, 93, 101, 123, 125] as const;

/** Integers of fewer digits are never rounded. */
const fewestDigits = 16;

/** @param text JSON that was parsed before, so that nothing of it needs to be checked */
function replaceRounded(text: string, holder: unknown[]): void {
  const way = new Way(text, holder);
  let [textStart, textEnd] = [0, 0];
  for (let at = 0; at < text.length; ) {
    const character = text.charCodeAt(at);
    if (character <= space) {
      at += 1;
    } else if (character === quote) {
      textStart = at;
      at = textEnd = endOfText(text, at);
    } else if (isDigit(character) || character === minus) {
      const end = endOfDigits(text, at + 1);
      const isInteger = !isInNumber(text.charCodeAt(end));
      if (isInteger && end - at >= fewestDigits) way.replaceRounded(text.slice(at, end));
      at = isInteger ? end : endOfNumber(text, end);
    } else {
      at += 1;
      if (character === comma) way.goOn();
      else if (character === colon) way.readKey(textStart, textEnd);
      else if (character === openList || character === openObject) way.enter(character === openList);
      else if (character === closeList || character === closeObject) way.leave();
    }
  }
}

/** The position behind the text that begins with the quotation mark at `opening`. */
function endOfText(text: string, opening: number): number {
  for (let at = opening + 1; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === quote) return at + 1;
    if (character === backslash) at += 1;
  }
  return text.length;
}

const isDigit = (character: number): boolean => character >= zero && character <= nine;

function endOfDigits(text: string, start: number): number {
  let at = start;
  while (at < text.length && isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

/** Whether a number that has a fraction or an exponent can go on with this. */
const isInNumber = (character: number): boolean => character === point || (character | space) === smallE;

function endOfNumber(text: string, start: number): number {
  let at = start;
  while (at < text.length && !endsNumber(text.charCodeAt(at))) at += 1;
  return at;
}

const endsNumber = (character: number): boolean =>
  character <= space || character === comma || character === closeList || character === closeObject;

/**
 * Where the walk is: the member of each container on the way there. The containers are looked up only where an
 * integer is to be replaced.
 */
class Way {
  readonly #text: string;
  readonly #containers: unknown[];
  /** How many of the containers are looked up; those behind them are not of this way any more. */
  #known = 1;
  #depth = 0;
  readonly #isList = [true];
  /** The index in a list. */
  readonly #index = [0];
  /** The place of a key in the text, with its quotation marks. */
  readonly #keyStart = [0];
  readonly #keyEnd = [0];

  constructor(text: string, holder: unknown[]) {
    this.#text = text;
    this.#containers = [holder];
  }

  enter(isList: boolean): void {
    this.#depth += 1;
    this.#isList[this.#depth] = isList;
    this.#index[this.#depth] = 0;
  }

  leave(): void {
    if (this.#known > this.#depth) this.#known = this.#depth;
    this.#depth -= 1;
  }

  goOn(): void {
    this.#index[this.#depth] = (this.#index[this.#depth] ?? 0) + 1;
  }

  readKey(start: number, end: number): void {
    this.#keyStart[this.#depth] = start;
    this.#keyEnd[this.#depth] = end;
  }

  replaceRounded(digits: string): void {
    const exact = BigInt(digits);
    const rounded = Number(exact);
    if (Number.isSafeInteger(rounded)) return;
    for (; this.#known <= this.#depth; this.#known++) {
      const outer = this.#containers[this.#known - 1];
      this.#containers[this.#known] = isContainer(outer) ? readMember(outer, this.#keyAt(this.#known - 1)) : undefined;
    }
    const container = this.#containers[this.#depth];
    if (!isContainer(container)) return;
    const key = this.#keyAt(this.#depth);
    // Of members with the same key the last one counts.
    if (Number(readMember(container, key)) === rounded) (container as Record<string | number, unknown>)[key] = exact;
  }

  #keyAt(depth: number): string | number {
    if (this.#isList[depth]) return this.#index[depth] ?? 0;
    const key = this.#text.slice((this.#keyStart[depth] ?? 0) + 1, (this.#keyEnd[depth] ?? 0) - 1);
    return key.includes("\\") ? JSON.parse(`"${key}"`) : key;
  }
}

const readMember = (container: Container, key: string | number): unknown =>
  (container as Record<string | number, unknown>)[key];

/** `JSON.stringify` that writes a `bigint` as the integer it is. */
export const stringifyExact = (value: unknown, indent?: number): string =>
  JSON.stringify(value, (_, member) => (typeof member === "bigint" ? rawJSON(String(member)) : member), indent);
