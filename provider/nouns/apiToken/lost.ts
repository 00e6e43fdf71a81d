import { PartialCreate, UncertainCreate } from "../../../framework/lifecycle";
import { isProof } from "../../../framework/naming";
import type { ApiError, Token } from "../../../sdk";
import type { Session } from "../../shared/account/connection";
import { searchToken } from "../../shared/account/search";
import type { ApiTokenInputs, ApiTokenState } from "./definition";
import { describeInstant } from "./expiry";
import { describeName } from "./names";

/**
 * Looks for the token of a create whose response was lost: by the id in the response, if the token has the requested name, or by a
 * generated name. Nobody has the token's secret, and the request is never sent again.
 * @param overlap the old token, whose expiry may have moved
 * @returns the failure of the create: a PartialCreate for a token that was found, else an UncertainCreate
 */
export async function findLost(
  session: Session,
  inputs: ApiTokenInputs,
  failure: ApiError,
  overlap: { readonly id: string; readonly state: ApiTokenState; readonly end: string } | undefined | "",
  record: (shown: Token) => ApiTokenState,
): Promise<Error> {
  const { found, seen } = await searchToken(session, inputs.name, { id: failure.id, isOwnName: isProof(inputs) });
  const moved = overlap
    ? ` The old token (id ${overlap.id}) may now expire at ${describeInstant(overlap.end, inputs, overlap.state)}.`
    : "";
  if (found) {
    const message = `${failure.message}. ${describeName(inputs)} was created with id ${found.id}, but its secret never arrived and cannot be read again. It is kept in the state as unusable; the next "pulumi up" replaces it.${moved}`;
    return new PartialCreate(message, found.id, record(found));
  }
  const named = failure.id === undefined ? "" : ` The response named the id ${failure.id}.`;
  const advice = isProof(inputs)
    ? "Revoke it if it exists"
    : "Tokens with this name may belong to other stacks or people: revoke one only if no stack declares it and nobody uses it";
  return new UncertainCreate(
    `${failure.message}. ${describeName(inputs)} may exist, but its secret was lost. The request is not sent again. ${seen}.${named}${moved} ${advice}, then run "pulumi up" again.`,
    { cause: failure },
  );
}
