import { isNever } from "../../values/expiry";
import { isObject } from "../../values/json";
import type { Reader } from "../../values/response";
import { path } from "../path";
import type { CallOptions, Transport } from "../transport";
import { Collection } from "./collection";
import { type MintedToken, type Token, type TokenRegeneration, type TokenSpec, tokenFields } from "./tokenFields";
import { type Readable, readObject } from "./wire";

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

const readMinted: Reader<MintedToken> = (json) => {
  const reading = readToken(json);
  if ("problem" in reading) return reading;
  const secret = isObject(json) ? json.token : undefined;
  if (typeof secret !== "string" || secret === "") return { problem: "token: expected a string that is not empty" };
  return { value: { ...reading.value, token: secret } };
};

/** `/v2/tokens` (documented interface, 4.1 to 4.3). `delete` and `regenerate` need the extended profile (extended interface, "Tokens"). */
export class Tokens extends Collection<Token, TokenSpec, MintedToken> {
  constructor(http: Transport) {
    super(http, "tokens", readToken, readMinted);
  }

  /**
   * Creates a successor of a token. The old token stays valid until `existingTokenExpiresAt`. Only this response has the new
   * secret, so the request is not retried if it may have arrived.
   * @throws ApiError (404: no such token); with `outcome: "unknown"`, a token may exist whose secret is lost, and the old
   *   token's expiry may have changed; RangeError for an id that cannot be part of an address
   */
  async regenerate(id: string, regeneration: TokenRegeneration, options: CallOptions = {}): Promise<MintedToken> {
    const call = { path: path`/v2/tokens/${id}/regenerate`, body: regeneration, read: readMinted, ...options };
    return await this.http.send("tokens.regenerate", call);
  }
}
