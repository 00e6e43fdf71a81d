import type { Session } from "../../../framework/lifecycle";
import type { EventDatasets } from "../../../sdk";
import { clockTolerance, toTheSecond } from "../../../values/instant";

/** Two measurements of a clock that goes right agree within this time, in milliseconds. */
const agreement = 5_000;
/** Long enough, in milliseconds, for a stored response to be known: it states the same second again. */
const wait = 3_000;

/** All dates use this machine's clock. The service's clock only causes warnings and refusals. */
export class Clocks {
  readonly #client: EventDatasets;
  #isTold = false;

  constructor(client: EventDatasets) {
    this.#client = client;
  }

  /** Returns a warning, once, if the service's clock differs. */
  describe({ now }: Pick<Session, "now">): string | undefined {
    const { clock, baseUrl } = this.#client;
    const offset = clock.offset() ?? 0;
    if (this.#isTold || Math.abs(offset) <= clockTolerance) return undefined;
    this.#isTold = true;
    const [here, there] = [now(), new Date(now().getTime() + offset)];
    return `the clock of this machine says ${toTheSecond(here)}, that of ${baseUrl} says ${toTheSecond(there)}: all expiries use this machine's clock. Correct the clock that is wrong.`;
  }

  /**
   * Finds a date that has passed by the service's clock, if two responses say so: a gateway's wrong clock must not stop updates.
   * @returns the date, and the two clocks in words
   */
  async findOver(
    { now, sleep }: Pick<Session, "now" | "sleep">,
    dates: readonly (string | undefined)[],
  ): Promise<{ readonly date: string; readonly clocks: string } | undefined> {
    const { clock, tokens, baseUrl } = this.#client;
    const [before, readings] = [clock.offset(), clock.readings];
    const date = dates.find((one = "") => Date.parse(one) <= clock.now().getTime());
    if (before === undefined || date === undefined) return undefined;
    await sleep(wait);
    await tokens.list().catch(() => undefined);
    const after = clock.offset();
    const isConfirmed = clock.readings > readings && after !== undefined && Math.abs(after - before) <= agreement;
    if (!isConfirmed) return undefined;
    const [here, there] = [now(), clock.now()].map(toTheSecond);
    return { date, clocks: `the clock of ${baseUrl}, which says ${there}. This machine says ${here}` };
  }
}
