import { hashOf } from "./hash";
import type { RecentRequest } from "./pageAnswers";
import { type Caller, splitTarget } from "./routing";

/** Enough to see what a deployment did, and little memory. */
const mostKept = 500;
const longestText = 300;

const likeToken = /xa[ap]t-[\w-]+/gi;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A request under way. */
export interface Recording {
  sentBy(caller: Caller): void;
  refusedFor(message: string): void;
  answered(status: number): void;
  ended(): void;
}

/** The last requests with their outcome, for people who look at the page. */
export class RecentRequests {
  readonly #entries: Mutable<RecentRequest>[] = [];
  readonly #isSecret: (hash: Buffer) => boolean;
  readonly #now: () => Date;
  #count = 0;

  /** @param isSecret whether this is the hash of a secret that the service knows */
  constructor(isSecret: (hash: Buffer) => boolean, now: () => Date) {
    this.#isSecret = isSecret;
    this.#now = now;
  }

  start(method: string, target: string): Recording {
    this.#count += 1;
    const time = this.#now().toISOString();
    const entry: Mutable<RecentRequest> = { number: this.#count, time, method, path: this.#shownPath(target) };
    this.#entries.push(entry);
    if (this.#entries.length > mostKept) this.#entries.shift();
    const start = performance.now();
    return {
      sentBy: ({ root, name = "" }) => {
        entry.caller = root ? { root } : { root, name };
      },
      refusedFor: (message) => {
        entry.message = shorten(this.#withoutSecrets(message));
      },
      answered: (status) => {
        entry.status = status;
      },
      ended: () => {
        entry.milliseconds = Math.round((performance.now() - start) * 10) / 10;
      },
    };
  }

  /** @param after the number of the last one that is known */
  list(after: number): readonly RecentRequest[] {
    return this.#entries.filter(({ number }) => number > after);
  }

  /**
   * The path without its query string. Whoever mistakes a token for its id sends the secret as a part of the path: what has
   * the hash of one, or looks like one, is not kept.
   */
  #shownPath(target: string): string {
    const [path] = splitTarget(target);
    const segments = path.split("/").map((segment) => {
      const isKnown = segment !== "" && this.#isSecret(hashOf(decode(segment)));
      return isKnown ? "[token]" : segment.replace(likeToken, "[token]");
    });
    return shorten(segments.join("/"));
  }

  /** Refusals name what was asked for: a dataset, a field of the body, a word of a query. */
  #withoutSecrets(message: string): string {
    const known = message.replace(/[^\s"'`,;:()[\]{}|]+/g, (word) => (this.#isSecret(hashOf(word)) ? "[token]" : word));
    return known.replace(likeToken, "[token]");
  }
}

const shorten = (text: string): string => (text.length <= longestText ? text : `${text.slice(0, longestText)}…`);

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
