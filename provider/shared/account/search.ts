import { isApiError, type Token } from "../../../sdk";
import { joinShortened } from "../../../values/shorten";
import type { Session } from "./connection";

/** How long a search takes in all, in milliseconds, also if the service is silent: a restart can take a minute. */
const searchTime = 60_000;
/** The waits before each attempt, in milliseconds: an object can appear late. */
const pauses = [0, 2_000, 4_000, 8_000, 16_000, 25_000] as const;

/** Attempts to find the object of a lost create, with the signal of the search. A minute or a cancel ends them. */
export async function* attempts({ elapsed, sleep, timeout }: Pick<Session, "elapsed" | "sleep" | "timeout">) {
  const end = elapsed() + searchTime;
  const signal = timeout(searchTime);
  for (const [index, pause] of pauses.entries()) {
    const isCancelled =
      pause > 0 &&
      (await sleep(Math.min(pause, end - elapsed())).then(
        () => false,
        () => true,
      ));
    if (signal.aborted || isCancelled) return;
    yield { signal, isFirst: index === 0 };
  }
}

interface Search {
  readonly found?: Token;
  /** The result in words, if the token was not found for certain. */
  readonly seen: string;
}

/**
 * Searches the account for a token that may have been created: by the id in a response, if that token has the name, and in lists.
 * @param isOwnName whether no other token has the name
 */
export async function searchToken(
  session: Session,
  name: string,
  { id, isOwnName }: { readonly id: string | undefined; readonly isOwnName: boolean },
): Promise<Search> {
  const { client } = session;
  let seen = "The tokens could not be listed to look for this token";
  for await (const { signal, isFirst } of attempts(session)) {
    const answered = isFirst && id !== undefined && (await client.tokens.get(id, { signal }).catch(() => undefined));
    if (answered && answered.name === name) return { found: answered, seen: "" };
    try {
      const listed = await client.tokens.list({ signal });
      const bearers = listed.filter((token) => token.name === name);
      const [found] = bearers;
      if (found && bearers.length === 1 && isOwnName) return { found, seen: "" };
      if (found) return { seen: `Tokens of that name: ${joinShortened(bearers.map((token) => token.id))}` };
      seen = "The list of tokens does not contain this token";
    } catch (e) {
      if (isApiError(e) && e.outcome === "refused") return { seen: `${seen} (${e.message})` };
      if (!isApiError(e)) break;
    }
  }
  return { seen };
}
