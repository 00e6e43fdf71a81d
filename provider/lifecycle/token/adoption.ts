import { orGone, type Token, type TokenSpec } from "../../../sdk";
import { asText, changedKeys } from "../compare";
import { type CheckFailure, type Session, type Unchecked, unknown } from "../contract";
import { countsFromCreation } from "./expiry";
import { tokenComparisons } from "./fields";
import type { Adopt, ApiTokenInputs } from "./model";

/** What makes an adoption unusable. `news` are well-formed, their name resolved. */
export function adoptionFailures(olds: Unchecked | undefined, news: Unchecked): CheckFailure[] {
  if (news.adopt === unknown) return [];
  const adopt = news.adopt as Adopt | undefined;
  if (!adopt) return [];
  if ((adopt.id === undefined) === (adopt.name === undefined)) {
    return [{ property: "adopt", reason: "must hold either id or name" }];
  }
  if (news.name === undefined) {
    return [{ property: "name", reason: "is missing: with adopt.id, declare the live token's own name" }];
  }
  const adopted = olds?.adopt as Adopt | undefined;
  if (!olds || !adopted) return [];
  const comparisons = { ...tokenComparisons, id: asText, adoptName: asText };
  const flat = (inputs: Unchecked, { id, name }: Adopt) => ({ ...inputs, id, adoptName: name });
  return changedKeys(comparisons, flat(olds, adopted), flat(news, adopt)).map((key) => ({
    property: key === "id" ? "adopt.id" : key === "adoptName" ? "adopt.name" : key,
    reason: "cannot change while adopt is present: remove adopt first",
  }));
}

/**
 * The live token to adopt. Nothing is created, and nothing is taken over that differs from what is declared.
 * @throws Error if there is none, if several have the name, or if declared and live differ
 */
export async function findTokenToAdopt({ client, adopted }: Session, inputs: ApiTokenInputs): Promise<Token> {
  const { id, name } = inputs.adopt ?? {};
  const live =
    id === undefined ? await findByName(client.tokens.list(), name ?? "") : await orGone(client.tokens.get(id));
  if (!live)
    throw new Error(
      `there is no token ${id === undefined ? `named "${name}"` : `with id ${id}`} to adopt on ${client.baseUrl}`,
    );
  const declared = countsFromCreation(inputs) ? { ...inputs, expiresAt: live.expiresAt } : inputs;
  const different = changedKeys(tokenComparisons, declared, live);
  if (different.length > 0) {
    const shown = different.map((key) => `${key}${showLive(key, live)}`).join(", ");
    throw new Error(
      `token ${live.id} is not adopted: it differs from what is declared in ${shown}. Declare what is live ("event-datasets tokens adopt" prints it), adopt, and change it afterwards.`,
    );
  }
  adopted.add(live.id);
  return live;
}

async function findByName(list: Promise<Token[]>, name: string): Promise<Token | undefined> {
  const named = (await list).filter((token) => token.name === name);
  if (named.length <= 1) return named[0];
  throw new Error(
    `several tokens are named "${name}": adopt one by its id (${named.map((token) => token.id).join(", ")})`,
  );
}

/** What is live, to declare it; a description is left out, as it may be declared as a secret. */
const showLive = (key: keyof TokenSpec, live: Token): string =>
  key === "description" ? "" : ` (live: ${JSON.stringify(live[key]) ?? "none"})`;
