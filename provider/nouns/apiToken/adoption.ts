import { isSecretInput } from "../../../framework/identity";
import type { Bag, CheckFailure } from "../../../framework/lifecycle";
import { hasUnknown, notKnown } from "../../../framework/unknown";
import { orGone, type Token, type TokenSpec } from "../../../sdk";
import type { Plan, Session } from "../../shared/account/connection";
import { type Adopt, type ApiTokenInputs, type ApiTokenState, liveToken } from "./definition";
import { describeToken } from "./names";

/** Finds mistakes in `adopt`. `news` are well-formed. */
export function findAdoptionFailures(news: Bag, plan: Plan): CheckFailure[] {
  if (news.adopt === undefined || news.adopt === notKnown) return [];
  const { id } = news.adopt as Adopt;
  if (id === undefined) return [{ property: "adopt.id", reason: "is missing" }];
  if (hasUnknown(id) || plan.claim(id)) return [];
  return [{ property: "adopt.id", reason: "names a token that another resource of this update has" }];
}

/** The note of a preview about an adoption that the update will make. */
export const describeAdoption = (olds: Bag | undefined, { adopt }: Bag): string | undefined =>
  adopt === undefined || olds?.adopt !== undefined
    ? undefined
    : "adopts an existing token and creates none; while adopt is declared, the token is not changed, rotated or revoked";

/**
 * Finds the live token to adopt.
 * @throws Error if there is none, if another resource has it, or if declared and live differ
 */
export async function findTokenToAdopt({ client, claim }: Session, inputs: ApiTokenInputs): Promise<Token> {
  const live = await orGone(client.tokens.get(inputs.adopt?.id ?? ""));
  if (!live) throw new Error(`there is no token with the id of adopt to adopt on ${client.baseUrl}`);
  const refusal = claim(live.id)
    ? describeDifferences(inputs, live)
    : "another resource of this update has it, and only one can.";
  if (refusal === undefined) return live;
  throw new Error(`${describeToken(live.id, { ...inputs, name: live.name })} is not adopted: ${refusal}`);
}

/** The fields of an adopted token that are not as they are declared. A declared lifetime is for its successors. */
export const findDifferences = (inputs: ApiTokenInputs, live: Partial<TokenSpec>): (keyof TokenSpec)[] =>
  liveToken.differing(inputs.expiresIn === undefined ? inputs : { ...inputs, expiresAt: live.expiresAt }, live);

function describeDifferences(inputs: ApiTokenInputs, live: Token): string | undefined {
  const different = findDifferences(inputs, live);
  if (different.length === 0) return undefined;
  const advice = `Declare what is live ("pulumi-event-datasets tokens adopt" prints it), adopt, and change it afterwards.`;
  return `it differs from what is declared in ${showLive(different, live, inputs)}. ${advice}`;
}

/** Fields with their live values, to declare them; a description can be long. */
export const showLive = (
  fields: readonly (keyof TokenSpec)[],
  live: Partial<TokenSpec>,
  ...values: readonly Pick<ApiTokenInputs | ApiTokenState, "secretInputs">[]
): string =>
  fields
    .map((field) => {
      const isShown = field !== "description" && !values.some((inputs) => isSecretInput(inputs, field));
      return isShown ? `${field} (live: ${JSON.stringify(live[field]) ?? "none"})` : field;
    })
    .join(", ");
