import { asText, changedKeys } from "../../framework/compare";
import { isSecretInput } from "../../framework/identity";
import type { Bag, CheckFailure } from "../../framework/lifecycle";
import { hasUnknown, notKnown } from "../../framework/unknown";
import { orGone, type Token, type TokenSpec } from "../../sdk";
import type { Plan, Session } from "../account/connection";
import { cannotExpire, countsFromCreation } from "./expiry";
import { tokenComparisons } from "./fields";
import type { Adopt, ApiTokenInputs } from "./model";
import { describeToken } from "./names";

/** Everything that makes an adoption unusable. `news` are well-formed, their name resolved. */
export function adoptionFailures(olds: Bag | undefined, news: Bag, plan: Plan): CheckFailure[] {
  if (news.adopt === notKnown) return [];
  const adopt = news.adopt as Adopt | undefined;
  if (!adopt) return [];
  if ((adopt.id === undefined) === (adopt.name === undefined)) {
    return [{ property: "adopt", reason: "must hold either id or name" }];
  }
  if (news.name === undefined) {
    return [{ property: "name", reason: "is missing: with adopt.id, declare the live token's own name" }];
  }
  if (adopt.id !== undefined && !hasUnknown(adopt.id) && !plan.update.claim(adopt.id, String(news.key))) {
    return [{ property: "adopt.id", reason: "names a token that another resource manages: only one of them can" }];
  }
  const adopted = olds?.adopt as Adopt | undefined;
  if (!olds || !adopted) return [];
  const changed = changedKeys({ id: asText, name: asText }, adopted, adopt).map((key) => `adopt.${key}`);
  return [...changedKeys(tokenComparisons, olds, news), ...changed].map((property) => ({
    property,
    reason: "cannot change while adopt is present: remove adopt first",
  }));
}

/** The note of a preview about an adoption that the update will make. */
export function describeAdoption(olds: Bag | undefined, inputs: Bag): string | undefined {
  const { adopt } = inputs;
  if (adopt === undefined || olds?.adopt !== undefined) return undefined;
  const { id, name } = (adopt === notKnown ? {} : adopt) as Adopt;
  if (typeof id === "string") return `will adopt the token with id ${id}; nothing is created`;
  const isShown = typeof name === "string" && !isSecretInput(inputs as Partial<ApiTokenInputs>, "name");
  return `will adopt ${isShown ? `the token named "${name}"` : "an existing token"}; nothing is created`;
}

/**
 * Finds the live token to adopt.
 * @throws Error if there is none, if several have the name, if another resource has it, or if declared and live differ
 */
export async function findTokenToAdopt({ client, update }: Session, inputs: ApiTokenInputs): Promise<Token> {
  const { id, name } = inputs.adopt ?? {};
  const isSecret = isSecretInput(inputs, "name");
  const named = isSecret ? "of the declared name" : `named "${name}"`;
  const live =
    id === undefined ? await findByName(client.tokens.list(), name ?? "", named) : await orGone(client.tokens.get(id));
  if (!live) {
    throw new Error(`there is no token ${id === undefined ? named : `with id ${id}`} to adopt on ${client.baseUrl}`);
  }
  const refusal =
    describeDifference(inputs, live) ??
    (inputs.retire === "expire" && !live.expiresAt ? cannotExpire(client) : undefined) ??
    (update.claim(live.id, inputs.key) ? undefined : managedElsewhere);
  if (refusal !== undefined)
    throw new Error(`${describeToken(live.id, { ...inputs, name: live.name })} is not adopted: ${refusal}`);
  // Noted before it is recorded: its present resource may be deleted at any time after that.
  update.notes.add(live.id, inputs.key);
  return live;
}

const managedElsewhere = "another resource of this update manages it, and only one of them can.";

/** The live values that differ from the declared ones; undefined: none does. */
function describeDifference(inputs: ApiTokenInputs, live: Token): string | undefined {
  const declared = countsFromCreation(inputs) ? { ...inputs, expiresAt: live.expiresAt } : inputs;
  const different = changedKeys(tokenComparisons, declared, live);
  if (different.length === 0) return undefined;
  const shown = different.map((key) => `${key}${isSecretInput(inputs, key) ? "" : showLive(key, live)}`).join(", ");
  const advice = `Declare what is live ("event-datasets tokens adopt" prints it), adopt, and change it afterwards.`;
  return `it differs from what is declared in ${shown}. ${advice}`;
}

async function findByName(list: Promise<Token[]>, name: string, named: string): Promise<Token | undefined> {
  const bearers = (await list).filter((token) => token.name === name);
  if (bearers.length <= 1) return bearers[0];
  throw new Error(`several tokens are ${named}: adopt one by its id (${bearers.map(({ id }) => id).join(", ")})`);
}

/** The live value, to declare it; a description can be long. */
const showLive = (key: keyof TokenSpec, live: Token): string =>
  key === "description" ? "" : ` (live: ${JSON.stringify(live[key]) ?? "none"})`;
