import { PatternError, type Test } from "./syntax";

const between =
  (first: number, last: number): Test =>
  (code) =>
    code >= first && code <= last;

const codeOf = (character: string): number => character.codePointAt(0) ?? 0;

export const range = (first: string, last: string): Test => between(codeOf(first), codeOf(last));

export const not =
  (test: Test): Test =>
  (code) =>
    !test(code);

export const anyOf =
  (tests: readonly Test[]): Test =>
  (code) =>
    tests.some((test) => test(code));

const oneOf = (characters: string): Test => {
  const codes = new Set([...characters].map(codeOf));
  return (code) => codes.has(code);
};

export const isDigit = range("0", "9");
export const isWord = anyOf([isDigit, range("a", "z"), range("A", "Z"), oneOf("_")]);
export const isSpace = oneOf("\t\n\f\r ");
export const isAnything: Test = () => true;
export const isInLine: Test = (code) => code !== 0x0a;

/** Classes that an escape names. */
export const escapedClasses: Readonly<Record<string, Test>> = {
  d: isDigit,
  D: not(isDigit),
  w: isWord,
  W: not(isWord),
  s: isSpace,
  S: not(isSpace),
};

const isLetter = anyOf([range("a", "z"), range("A", "Z")]);

/** Classes that are named inside of brackets, such as `[[:alpha:]]`. */
export const namedClasses: Readonly<Record<string, Test>> = {
  alnum: anyOf([isLetter, isDigit]),
  alpha: isLetter,
  ascii: between(0, 127),
  blank: oneOf("\t "),
  cntrl: anyOf([between(0, 31), between(127, 127)]),
  digit: isDigit,
  graph: range("!", "~"),
  lower: range("a", "z"),
  print: range(" ", "~"),
  punct: anyOf([range("!", "/"), range(":", "@"), range("[", "`"), range("{", "~")]),
  space: anyOf([isSpace, oneOf("\v")]),
  upper: range("A", "Z"),
  word: isWord,
  xdigit: anyOf([isDigit, range("a", "f"), range("A", "F")]),
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

/** The same class, whatever the case of a letter. */
export const ignoringCase =
  (test: Test): Test =>
  (code) => {
    if (test(code)) return true;
    const text = String.fromCodePoint(code);
    const [lower, upper] = [text.toLowerCase(), text.toUpperCase()];
    return test(codeOf(lower)) || ([...upper].length === 1 && test(codeOf(upper)));
  };

/** The same class, faster: what it says of ASCII is looked up. */
export function tabulated(test: Test): Test {
  const ascii = Array.from({ length: 128 }, (_, code) => test(code));
  return (code) => (code < 128 ? ascii[code] === true : test(code));
}
