import { asJson, canonicalText } from "./compare";
import { isUncertain } from "./failures";

/** The requests of a process that must not be sent twice. */
export class Attempts {
  readonly #underWay = new Map<string, Promise<unknown>>();

  /**
   * Runs a request. An `onError` hook of the program can make the engine repeat a hook: if the outcome of the first run is not
   * known, the repeated one fails in the same way.
   */
  async once<T>(resource: string, inputs: object, send: () => Promise<T>): Promise<T> {
    const attempt = JSON.stringify([resource, canonicalText(asJson, inputs)]);
    const before = this.#underWay.get(attempt);
    if (before) return (await before) as T;
    const sent = send();
    this.#underWay.set(attempt, sent);
    const forget = () => this.#underWay.delete(attempt);
    sent.then(forget, (failure) => isUncertain(failure) || forget());
    return await sent;
  }
}
