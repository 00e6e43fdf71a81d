import { isSecretInput } from "../../../framework/identity";
import type { Bag, CheckFailure } from "../../../framework/lifecycle";
import { hasUnknown, notKnown } from "../../../framework/unknown";
import { orGone, type Token, type TokenSpec } from "../../../sdk";
import type { Plan, Session } from "../../shared/account/connection";
import { requireAdoptable } from "../../shared/adoption";
import { type Adopt, type ApiTokenInputs, type ApiTokenState, liveToken } from "./definition";
import { describeToken } from "./names";

/** Finds mistakes in `adopt`. `news` are well-formed. */
export function findAdoptionFailures(news: Bag, plan: Plan): CheckFailure[] {
  if (news.adopt === undefined || news.adopt === notKnown) return [];
  const { id } = news.adopt as Adopt;
  if (id === undefined) return [{ property: "adopt.id", reason: "is missing" }];
  if (hasUnknown(id) || plan.claim(id)) return [];
  return [{ property: "adopt.id", reason: "is the id of a token that another resource of this update already has" }];
}

/** The note of a preview about an adoption that the update will carry out. */
export const describeAdoption = (olds: Bag | undefined, { adopt }: Bag): string | undefined =>
  adopt === undefined || olds?.adopt !== undefined
    ? undefined
    : "adopts an existing token and creates none; while adopt is declared, the token is not changed, rotated or revoked";

/**
 * Finds the live token to adopt.
 * @throws Error if there is none, if another resource has it, or if declared and live differ
 */
export async function findTokenToAdopt(session: Session, inputs: ApiTokenInputs): Promise<Token> {
  const { tokens, baseUrl } = session.client;
  const live = await orGone(tokens.get(inputs.adopt?.id ?? ""));
  if (!live) throw new Error(`there is no token with the id that adopt names on ${baseUrl}`);
  const differing = showLive(findDifferences(inputs, live), live, inputs);
  const token = describeToken(live.id, { ...inputs, name: live.name });
  requireAdoptable(session, live.id, token, differing, ' ("pulumi-event-datasets tokens adopt" prints it)');
  return live;
}

/** The fields in which an adopted token differs from its declaration. `expiresIn` applies only to its successors. */
export const findDifferences = (inputs: ApiTokenInputs, live: Partial<TokenSpec>): (keyof TokenSpec)[] =>
  liveToken.differing(inputs.expiresIn === undefined ? inputs : { ...inputs, expiresAt: live.expiresAt }, live);

/** Fields with their live values, for a declaration. A long description is shortened. */
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
