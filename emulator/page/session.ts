import type { ObjectsAnswer, QueryAnswer, RefusalAnswer, RequestsAnswer } from "../pageAnswers";

/** The emulator has answered, and said no. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * The root token, for as long as the page is open. It is in this object and nowhere else: in no storage, no address and no
 * form.
 */
export class Session {
  readonly #token: string;

  /** @throws Refusal for what cannot be a token, which is not sent */
  constructor(token: string) {
    if (!/^[\x21-\x7e]+$/.test(token)) throw new Refusal(401, "a token is printable ASCII without spaces");
    this.#token = token;
  }

  objects = (): Promise<ObjectsAnswer> => this.#ask("/_page/objects");

  requests = (after: number): Promise<RequestsAnswer> => this.#ask(`/_page/requests?after=${after}`);

  query = (request: { apl: string; startTime?: string; endTime?: string }): Promise<QueryAnswer> =>
    this.#ask("/_page/query", JSON.stringify(request));

  /** @throws Refusal, or TypeError if the emulator cannot be reached */
  async #ask<T>(path: string, body?: string): Promise<T> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.#token}` };
    if (body !== undefined) headers["content-type"] = "application/json";
    const options: RequestInit = { headers, credentials: "omit", cache: "no-store", redirect: "error" };
    const answer = await fetch(path, body === undefined ? options : { ...options, method: "POST", body });
    const content: unknown = await answer.json();
    if (!answer.ok) throw new Refusal(answer.status, (content as RefusalAnswer).message);
    return content as T;
  }
}
