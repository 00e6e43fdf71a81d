import { isNever } from "../../values/expiry";
import { isObject } from "../../values/json";
import type { Reader } from "../../values/response";
import { path } from "../path";
import type { CallOptions, Transport } from "../transport";
import { type MintedToken, type Token, type TokenRegeneration, type TokenSpec, tokenFields } from "./tokenFields";
import { type Listing, type Readable, readList, readObject } from "./wire";

/**
 * A response without a name is usable: only the id and, for a new token, the secret are indispensable. An expiry that
 * means that there is none, such as Go's zero time, is left out.
 */
function completeToken(object: Readable<TokenSpec>): Token {
  const { name, odd } = object;
  const token: Token =
    name === undefined ? { ...object, name: "", odd: { name: "expected string", ...odd } } : { ...object, name };
  if (object.expiresAt === undefined || !isNever(object.expiresAt)) return token;
  const { expiresAt: _, ...endless } = token;
  return endless;
}

const readToken = readObject<TokenSpec, Token>(tokenFields, completeToken);
const readTokens = readList(readToken);

const readMinted: Reader<MintedToken> = (json) => {
  const reading = readToken(json);
  if ("problem" in reading) return reading;
  const secret = isObject(json) ? json.token : undefined;
  if (typeof secret !== "string" || secret === "") return { problem: "token: expected a string that is not empty" };
  return { value: { ...reading.value, token: secret } };
};

/** `/v2/tokens` (documented interface, 4.1 to 4.3). */
export class Tokens {
  readonly #http: Transport;

  constructor(http: Transport) {
    this.#http = http;
  }

  /**
   * Mints a token. Only this response has the secret, so the request is not retried if it may have arrived. A
   * response with an id and a secret is a success, even if other fields are odd (`odd`).
   * @throws ApiError; with `outcome: "unknown"`, a token may exist whose secret is lost
   */
  async create(spec: TokenSpec, options: CallOptions = {}): Promise<MintedToken> {
    return await this.#http.send("tokens.create", { path: path`/v2/tokens`, body: spec, read: readMinted, ...options });
  }

  /**
   * Gets a token by its id.
   * @throws ApiError (404: no such token), RangeError for an id that cannot be part of an address
   */
  async get(id: string, options: CallOptions = {}): Promise<Token> {
    return await this.#http.send("tokens.get", { path: path`/v2/tokens/${id}`, read: readToken, ...options });
  }

  /**
   * All tokens, in the service's order. Filters and paging are not documented, so there are none. The list's `odd`
   * has the entries that could not be read.
   * @throws ApiError
   */
  async list(options: CallOptions = {}): Promise<Listing<Token>> {
    return await this.#http.send("tokens.list", { path: path`/v2/tokens`, read: readTokens, ...options });
  }

  /**
   * Mints a successor of a token. The old token stays valid until `existingTokenExpiresAt`. Only this response has
   * the new secret, so the request is not retried if it may have arrived. Extended profile only (extended interface,
   * "Tokens").
   * @throws ApiError (404: no such token); with `outcome: "unknown"`, a token may exist whose secret is lost, and the
   *   old token's expiry may have changed; RangeError for an id that cannot be part of an address
   */
  async regenerate(id: string, regeneration: TokenRegeneration, options: CallOptions = {}): Promise<MintedToken> {
    return await this.#http.send("tokens.regenerate", {
      path: path`/v2/tokens/${id}/regenerate`,
      body: regeneration,
      read: readMinted,
      ...options,
    });
  }

  /**
   * Revokes a token: it stops working at once. Extended profile only (extended interface, "Tokens").
   * @throws ApiError (404: no such token), RangeError for an id that cannot be part of an address
   */
  async delete(id: string, options: CallOptions = {}): Promise<void> {
    return await this.#http.send("tokens.delete", { path: path`/v2/tokens/${id}`, ...options });
  }
}
