import type { DatasetsResponse, QueryResponse, RefusalResponse, StateResponse } from "../pageResponses";

/** The emulator refused the request. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Why a request failed. */
export const reasonOf = (failure: unknown): string =>
  failure instanceof Refusal ? failure.message : "The emulator does not respond.";

/** Keeps the root token while the page is open. The token is only in this object, and in no storage, address or form. */
export class Session {
  readonly #token: string;

  /** @throws Refusal if the text cannot be a token; it is not sent */
  constructor(token: string) {
    if (!/^[\x21-\x7e]+$/.test(token)) throw new Refusal(401, "a token is printable ASCII without spaces");
    this.#token = token;
  }

  /** @param revision the revision of the objects that the page has */
  state = (revision = ""): Promise<StateResponse> => this.#ask(`/_page/state?revision=${revision}`);

  datasets = (): Promise<DatasetsResponse> => this.#ask("/_page/datasets");

  query = (request: { apl: string; startTime?: string; endTime?: string }): Promise<QueryResponse> =>
    this.#ask("/_page/query", JSON.stringify(request));

  /** @throws Refusal, or TypeError if the emulator cannot be reached */
  async #ask<T>(path: string, body?: string): Promise<T> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.#token}` };
    if (body !== undefined) headers["content-type"] = "application/json";
    const options: RequestInit = { headers, credentials: "omit", cache: "no-store", redirect: "error" };
    const response = await fetch(path, body === undefined ? options : { ...options, method: "POST", body });
    const content: unknown = await response.json();
    if (!response.ok) throw new Refusal(response.status, (content as RefusalResponse).message);
    return content as T;
  }
}
