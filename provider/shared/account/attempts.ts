import type { Session } from "../../../framework/lifecycle";

/** How long a search takes in all, in milliseconds, also if the service is silent: a restart can take a minute. */
const searchTime = 60_000;
/** The waits before each attempt, in milliseconds: an object can appear late. */
const pauses = [0, 2_000, 4_000, 8_000, 16_000, 25_000] as const;

/**
 * The attempts to find the object of a create whose response was lost, each with the signal of the whole search. They end with the
 * minute, and when the user cancels the update.
 */
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
