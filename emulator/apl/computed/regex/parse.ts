import * as classes from "./classes";
import { PatternText } from "./patternText";
import { type Assertion, type Node, PatternError, type Test } from "./syntax";

interface Flags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
}

const maxRepeat = 1000;
const maxDepth = 200;
const controls: Readonly<Record<string, string>> = { a: "\x07", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };
const assertions: Readonly<Record<string, Assertion>> = {
  A: "textStart",
  z: "textEnd",
  b: "wordEdge",
  B: "notWordEdge",
};
const empty: Node = { kind: "sequence", nodes: [] };

/** Parses RE2's syntax. It has no back references and no lookaround, which cannot be matched in linear time. */
class Parser {
  readonly #text: PatternText;
  #depth = 0;
  #flags: Flags = { i: false, m: false, s: false };
  groups = 0;

  constructor(pattern: string) {
    this.#text = new PatternText(pattern);
  }

  parse(): Node {
    const node = this.#parseChoice();
    if (!this.#text.isAtEnd) throw new PatternError("a ) has no ( before it");
    return node;
  }

  #parseChoice(): Node {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new PatternError("the pattern is nested too deeply");
    const before = this.#flags;
    const nodes = [this.#parseSequence()];
    while (this.#text.take("|")) nodes.push(this.#parseSequence());
    this.#flags = before;
    this.#depth -= 1;
    return nodes.length === 1 ? (nodes[0] ?? empty) : { kind: "choice", nodes };
  }

  #parseSequence(): Node {
    const nodes: Node[] = [];
    while (!this.#text.isAtEnd && !this.#text.peek("|") && !this.#text.peek(")")) {
      if (this.#text.take("\\Q")) nodes.push(...this.#parseQuotation());
      else nodes.push(this.#parseRepetition(this.#parseAtom()));
    }
    return { kind: "sequence", nodes };
  }

  /** `\Q…\E`: each character up to `\E` or the end stands for itself. A repetition applies to the last one. */
  #parseQuotation(): Node[] {
    const nodes: Node[] = [];
    while (!this.#text.isAtEnd && !this.#text.take("\\E")) {
      const character = this.#text.next();
      nodes.push(this.#parseCharacter(classes.testRange(character, character)));
    }
    const last = nodes.pop();
    return last ? [...nodes, this.#parseRepetition(last)] : [];
  }

  #parseRepetition(node: Node): Node {
    const [min, max] = this.#text.take("*")
      ? [0, Number.POSITIVE_INFINITY]
      : this.#text.take("+")
        ? [1, Number.POSITIVE_INFINITY]
        : this.#text.take("?")
          ? [0, 1]
          : this.#parseCounts();
    if (min === undefined || max === undefined) return node;
    if (min > maxRepeat || (max !== Number.POSITIVE_INFINITY && max > maxRepeat) || max < min)
      throw new PatternError(`a repetition goes from 0 to ${maxRepeat}`);
    const repeat: Node = { kind: "repeat", node, min, max, isLazy: this.#text.take("?") };
    if (["*", "+", "?"].some((sign) => this.#text.peek(sign))) throw new PatternError("nothing to repeat");
    return repeat;
  }

  /** `{2}`, `{2,}` or `{2,5}`; anything else is literal text. */
  #parseCounts(): readonly number[] {
    const rest = this.#text.peekMany(16);
    const [whole, min, comma, max] = /^\{(\d{1,6})(?:(,)(\d{1,6})?)?\}/.exec(rest) ?? [];
    if (whole === undefined) return [];
    this.#text.take(whole);
    return [Number(min), comma === undefined ? Number(min) : max ? Number(max) : Number.POSITIVE_INFINITY];
  }

  #parseAtom(): Node {
    const character = this.#text.next();
    switch (character) {
      case "(":
        return this.#parseGroup();
      case "[":
        return this.#parseCharacter(this.#parseClass());
      case ".":
        return this.#parseCharacter(this.#flags.s ? classes.isAnything : classes.isInLine);
      case "^":
        return { kind: "assertion", at: this.#flags.m ? "lineStart" : "textStart" };
      case "$":
        return { kind: "assertion", at: this.#flags.m ? "lineEnd" : "textEnd" };
      case "*":
      case "+":
      case "?":
        throw new PatternError("nothing to repeat");
      case "\\":
        return this.#parseEscape();
      default:
        return this.#parseCharacter(classes.testRange(character, character));
    }
  }

  #parseCharacter(test: Test): Node {
    return { kind: "character", test: classes.tabulate(this.#flags.i ? classes.ignoreCase(test) : test) };
  }

  #parseGroup(): Node {
    if (!this.#text.take("?")) return this.#parseCapture();
    if (
      this.#text.take("P<") ||
      (this.#text.peek("<") && !this.#text.peek("<=") && !this.#text.peek("<!") && this.#text.take("<"))
    ) {
      if (!/^\w+$/.test(this.#text.takeUntil(">")))
        throw new PatternError("a group's name is made of letters, digits and _");
      return this.#parseCapture();
    }
    return this.#parseFlags();
  }

  #parseCapture(): Node {
    this.groups += 1;
    const index = this.groups;
    return { kind: "group", index, node: this.#parseInner() };
  }

  #parseInner(): Node {
    const node = this.#parseChoice();
    if (!this.#text.take(")")) throw new PatternError("a ( has no ) after it");
    return node;
  }

  /** `(?i)` applies up to the end of its group, `(?i:…)` and `(?:…)` to their content. */
  #parseFlags(): Node {
    let text = "";
    while (!this.#text.peek(":") && !this.#text.peek(")")) text += this.#text.next();
    const [, on = "", off = ""] = /^([imsU]*)(?:-([imsU]+))?$/.exec(text) ?? [undefined, undefined];
    if (!/^[ims]*(-[ims]+)?$/.test(text)) throw new PatternError(`(?${text} is not supported`);
    const before = this.#flags;
    const flag = (name: keyof Flags) => (before[name] || on.includes(name)) && !off.includes(name);
    this.#flags = { i: flag("i"), m: flag("m"), s: flag("s") };
    if (this.#text.take(")")) return empty;
    this.#text.take(":");
    const node = this.#parseInner();
    this.#flags = before;
    return node;
  }

  #parseEscape(): Node {
    const letter = this.#text.peekMany(1);
    const assertion = Object.hasOwn(assertions, letter) ? assertions[letter] : undefined;
    if (assertion === undefined) return this.#parseCharacter(this.#parseEscapedTest());
    this.#text.take(letter);
    return { kind: "assertion", at: assertion };
  }

  /** Reads the part after a backslash, in a class or outside of one. */
  #parseEscapedTest(): Test {
    const letter = this.#text.peekMany(1);
    const named = Object.hasOwn(classes.escapedClasses, letter) ? classes.escapedClasses[letter] : undefined;
    if (named) {
      this.#text.next();
      return named;
    }
    if (this.#text.take("p") || this.#text.take("P")) {
      const name = this.#text.take("{") ? this.#text.takeUntil("}") : this.#text.next();
      const test = classes.unicodeClass(name.replace(/^\^/, ""));
      return (letter === "P") === name.startsWith("^") ? test : classes.negate(test);
    }
    const character = this.#parseEscapedCharacter();
    return classes.testRange(character, character);
  }

  #parseEscapedCharacter(): string {
    const letter = this.#text.next();
    if (Object.hasOwn(controls, letter)) return controls[letter] ?? "";
    if (letter === "x") {
      const digits = this.#text.take("{") ? this.#text.takeUntil("}") : this.#text.next() + this.#text.next();
      const code = /^[0-9a-fA-F]{1,6}$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
      if (!(code <= 0x10_ffff)) throw new PatternError(`\\x${digits} is not a character`);
      return String.fromCodePoint(code);
    }
    if (letter === "0") return "\0";
    if (/[A-Za-z0-9]/.test(letter)) throw new PatternError(`\\${letter} is not supported`);
    return letter;
  }

  #parseClass(): Test {
    const isNegated = this.#text.take("^");
    const tests: Test[] = [];
    for (let isFirst = true; isFirst || !this.#text.take("]"); isFirst = false) tests.push(this.#parseClassMember());
    const test = classes.combine(tests);
    return isNegated ? classes.negate(this.#flags.i ? classes.ignoreCase(test) : test) : test;
  }

  #parseClassMember(): Test {
    if (this.#text.take("[:")) {
      const name = this.#text.takeUntil(":]");
      const test = classes.namedClasses[name.replace(/^\^/, "")];
      if (!test) throw new PatternError(`there is no class [:${name}:]`);
      return name.startsWith("^") ? classes.negate(test) : test;
    }
    const isClass = /^\\[dDwWsSpP]/.test(this.#text.peekMany(2));
    const first = this.#text.next();
    if (isClass) return this.#parseEscapedTest();
    const from = first === "\\" ? this.#parseEscapedCharacter() : first;
    const isRange = this.#text.peek("-") && !this.#text.peek("-]");
    if (!isRange) return classes.testRange(from, from);
    this.#text.next();
    const last = this.#text.next();
    const to = last === "\\" ? this.#parseEscapedCharacter() : last;
    if ((to.codePointAt(0) ?? 0) < (from.codePointAt(0) ?? 0)) throw new PatternError(`${from}-${to} is not a range`);
    return classes.testRange(from, to);
  }
}

export interface ParsedPattern {
  readonly node: Node;
  readonly groups: number;
}

/** @throws PatternError */
export function parsePattern(pattern: string): ParsedPattern {
  const parser = new Parser(pattern);
  const node = parser.parse();
  return { node, groups: parser.groups };
}
