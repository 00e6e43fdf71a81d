import { hashOf } from "./hash";
import type { RecentRequest } from "./pageResponses";
import { type Caller, splitTarget } from "./routing";

/** Enough for the requests of a deployment, and little memory. */
const mostKept = 500;
const longestText = 300;

const likeToken = /xa[ap]t-[\w-]+/gi;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A request under way. */
export interface Recording {
  note(facts: { readonly caller?: Caller; readonly message?: string; readonly status?: number }): void;
  noteEnd(): void;
}

/** The last requests with their outcome, for the page. */
export class RecentRequests {
  readonly #entries: Mutable<RecentRequest>[] = [];
  readonly #isSecret: (hash: Buffer) => boolean;
  readonly #now: () => Date;

  /** @param isSecret whether this is the hash of a secret that the service knows */
  constructor(isSecret: (hash: Buffer) => boolean, now: () => Date) {
    this.#isSecret = isSecret;
    this.#now = now;
  }

  start(method: string, target: string): Recording {
    const time = this.#now().toISOString();
    const entry: Mutable<RecentRequest> = { time, method, path: this.#shownPath(target) };
    this.#entries.push(entry);
    if (this.#entries.length > mostKept) this.#entries.shift();
    const start = performance.now();
    return {
      note: ({ caller, message, status }) => {
        if (caller) entry.caller = caller.root ? { root: true } : { root: false, name: caller.name ?? "" };
        if (message !== undefined) entry.message = shorten(this.#withoutSecrets(message));
        if (status !== undefined) entry.status = status;
      },
      noteEnd: () => {
        entry.milliseconds = Math.round((performance.now() - start) * 10) / 10;
      },
    };
  }

  get requests(): readonly RecentRequest[] {
    return this.#entries;
  }

  /**
   * The path without its query string. A caller who confuses a token with its id sends the secret in the path, so a segment
   * that is a known secret, or looks like one, is replaced.
   */
  #shownPath(target: string): string {
    const [path] = splitTarget(target);
    const segments = path.split("/").map((segment) => {
      const isKnown = segment !== "" && this.#isSecret(hashOf(decode(segment)));
      return isKnown ? "[token]" : segment.replace(likeToken, "[token]");
    });
    return shorten(segments.join("/"));
  }

  /**
   * Hides secrets in the message of a refusal, which can quote names from the request: a dataset, a field of the body, a word
   * of a query.
   */
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
