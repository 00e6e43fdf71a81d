import { combine, isWord, tabulate } from "./classes";
import { parsePattern } from "./parse";
import { compilePattern, type Step } from "./program";
import type { Assertion, Test } from "./syntax";

export { PatternError } from "./syntax";

/** The start and the end of a match and of each group; -1 for a group that did not match. */
export type Match = readonly number[];

/** The possible continuations of a match, the preferred first, each with its groups so far. */
interface Threads {
  readonly steps: number[];
  readonly found: (readonly number[])[];
}

/**
 * A regular expression that matches in linear time. It follows all alternatives at once, character by character, so that no
 * text causes backtracking.
 */
export class LinearPattern {
  readonly #program: readonly Step[];
  readonly #slots: number;
  /** Whether a match can start with a character; undefined if a match can be empty. */
  readonly #canStart: Test | undefined;
  /** The last position at which each step was reached. */
  readonly #seen: Float64Array;
  #visit = 0;

  /** @throws PatternError */
  constructor(pattern: string) {
    const parsed = parsePattern(pattern);
    this.#program = compilePattern(parsed);
    this.#slots = (parsed.groups + 1) * 2;
    this.#canStart = startOf(this.#program);
    this.#seen = new Float64Array(this.#program.length);
  }

  /** Every match, from left to right, without overlaps. */
  *matches(text: string): Generator<Match> {
    let at = 0;
    while (at <= text.length) {
      const match = this.#first(text, at);
      if (!match) return;
      yield match;
      const [start = 0, end = 0] = match;
      at = end > start ? end : end + widthAt(text, end);
    }
  }

  #first(text: string, from: number): Match | undefined {
    let threads: Threads = { steps: [], found: [] };
    let best: readonly number[] | undefined;
    for (let at = from; ; at += widthAt(text, at)) {
      if (!best && threads.steps.length === 0) at = this.#skip(text, at);
      if (!best) {
        // Added last, because an earlier start is preferred.
        if (threads.steps.length === 0) this.#visit += 1;
        this.#follow(threads, 0, new Array<number>(this.#slots).fill(-1).with(0, at), text, at);
      }
      if (threads.steps.length === 0 && (best || at >= text.length)) break;
      const code = text.codePointAt(at);
      const next: Threads = { steps: [], found: [] };
      this.#visit += 1;
      for (const [i, index] of threads.steps.entries()) {
        const step = this.#program[index];
        const found = threads.found[i] ?? [];
        if (step?.op === "match") {
          best = found;
          break; // what follows is less preferred
        }
        if (step?.op === "character" && code !== undefined && step.test(code))
          this.#follow(next, index + 1, found, text, at + widthAt(text, at));
      }
      threads = next;
      if (at >= text.length) break;
    }
    return best;
  }

  /** The first position from there on at which a match can start. */
  #skip(text: string, from: number): number {
    let at = from;
    while (this.#canStart && at < text.length && !this.#canStart(text.codePointAt(at) ?? 0)) at += widthAt(text, at);
    return at;
  }

  /** Adds the steps that can be reached without reading a character, each once. */
  #follow(threads: Threads, from: number, before: readonly number[], text: string, at: number): void {
    const open: (readonly [number, readonly number[]])[] = [[from, before]];
    for (let next = open.pop(); next; next = open.pop()) {
      const [index, found] = next;
      const step = this.#program[index];
      if (!step || this.#seen[index] === this.#visit) continue;
      this.#seen[index] = this.#visit;
      switch (step.op) {
        case "jump":
          open.push([step.to, found]);
          break;
        case "split":
          open.push([step.second, found], [step.first, found]);
          break;
        case "save":
          open.push([index + 1, found.with(step.slot, at)]);
          break;
        case "assertion":
          if (holds(step.at, text, at)) open.push([index + 1, found]);
          break;
        default:
          threads.steps.push(index);
          threads.found.push(step.op === "match" ? found.with(1, at) : found);
      }
    }
  }
}

function startOf(program: readonly Step[]): Test | undefined {
  const tests: Test[] = [];
  const seen = new Set<number>();
  const open = [0];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const step = program[index];
    if (!step || seen.has(index)) continue;
    seen.add(index);
    if (step.op === "match") return undefined;
    if (step.op === "character") tests.push(step.test);
    else if (step.op === "jump") open.push(step.to);
    else if (step.op === "split") open.push(step.first, step.second);
    else open.push(index + 1); // assertions may hold
  }
  return tabulate(combine(tests));
}

const widthAt = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);

function holds(assertion: Assertion, text: string, at: number): boolean {
  switch (assertion) {
    case "textStart":
      return at === 0;
    case "textEnd":
      return at === text.length;
    case "lineStart":
      return at === 0 || text[at - 1] === "\n";
    case "lineEnd":
      return at === text.length || text[at] === "\n";
    default: {
      const isEdge = isWordAt(text, at - 1) !== isWordAt(text, at);
      return isEdge === (assertion === "wordEdge");
    }
  }
}

const isWordAt = (text: string, at: number): boolean => at >= 0 && at < text.length && isWord(text.charCodeAt(at));
