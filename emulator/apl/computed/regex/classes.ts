import { PatternError, type Test } from "./syntax";

const testCodes =
  (first: number, last: number): Test =>
  (code) =>
    code >= first && code <= last;

const codeOf = (character: string): number => character.codePointAt(0) ?? 0;

export const testRange = (first: string, last: string): Test => testCodes(codeOf(first), codeOf(last));

export const negate =
  (test: Test): Test =>
  (code) =>
    !test(code);

export const combine =
  (tests: readonly Test[]): Test =>
  (code) =>
    tests.some((test) => test(code));

const testCharacters = (characters: string): Test => {
  const codes = new Set([...characters].map(codeOf));
  return (code) => codes.has(code);
};

export const isDigit = testRange("0", "9");
export const isWord = combine([isDigit, testRange("a", "z"), testRange("A", "Z"), testCharacters("_")]);
export const isSpace = testCharacters("\t\n\f\r ");
export const isAnything: Test = () => true;
export const isInLine: Test = (code) => code !== 0x0a;

/** Classes with an escape, such as `\d`. */
export const escapedClasses: Readonly<Record<string, Test>> = {
  d: isDigit,
  D: negate(isDigit),
  w: isWord,
  W: negate(isWord),
  s: isSpace,
  S: negate(isSpace),
};

const isLetter = combine([testRange("a", "z"), testRange("A", "Z")]);

/** Classes with a name in brackets, such as `[[:alpha:]]`. */
export const namedClasses: Readonly<Record<string, Test>> = {
  alnum: combine([isLetter, isDigit]),
  alpha: isLetter,
  ascii: testCodes(0, 127),
  blank: testCharacters("\t "),
  cntrl: combine([testCodes(0, 31), testCodes(127, 127)]),
  digit: isDigit,
  graph: testRange("!", "~"),
  lower: testRange("a", "z"),
  print: testRange(" ", "~"),
  punct: combine([testRange("!", "/"), testRange(":", "@"), testRange("[", "`"), testRange("{", "~")]),
  space: combine([isSpace, testCharacters("\v")]),
  upper: testRange("A", "Z"),
  word: isWord,
  xdigit: combine([isDigit, testRange("a", "f"), testRange("A", "F")]),
};

/** A class of Unicode: a category, such as `Lu`, or a script. */
export function unicodeClass(name: string): Test {
  const form = /^[A-Z][a-z]?$/.test(name) ? name : /^\w+$/.test(name) ? `Script=${name}` : undefined;
  try {
    if (form === undefined) throw new PatternError(`there is no class \\p{${name}}`);
    const pattern = new RegExp(`^\\p{${form}}$`, "u"); // of one character at a time
    return (code) => pattern.test(String.fromCodePoint(code));
  } catch {
    throw new PatternError(`there is no class \\p{${name}}`);
  }
}

/** Makes a class ignore the case of letters. */
export const ignoreCase =
  (test: Test): Test =>
  (code) => {
    if (test(code)) return true;
    const text = String.fromCodePoint(code);
    const [lower, upper] = [text.toLowerCase(), text.toUpperCase()];
    return test(codeOf(lower)) || ([...upper].length === 1 && test(codeOf(upper)));
  };

/** Makes a class faster, with a table for ASCII. */
export function tabulate(test: Test): Test {
  const ascii = Array.from({ length: 128 }, (_, code) => test(code));
  return (code) => (code < 128 ? ascii[code] === true : test(code));
}
