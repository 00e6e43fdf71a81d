import { PartialCreate, UncertainCreate } from "../../../framework/lifecycle";
import { isProof } from "../../../framework/naming";
import { type ApiError, isApiError, type Token } from "../../../sdk";
import { joinShortened } from "../../../values/shorten";
import { attempts } from "../../shared/account/attempts";
import type { Session } from "../../shared/account/connection";
import type { ApiTokenInputs, ApiTokenState } from "./definition";
import { describeInstant } from "./expiry";
import { describeName } from "./names";

export const isOutcomeUnknown = (failure: unknown): failure is ApiError =>
  isApiError(failure) && failure.outcome === "unknown";

/**
 * Looks for the token of a create whose response was lost: by the id in the response, if the token has the requested name, or by a
 * generated name. Nobody has its secret, and the request is never sent again.
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
  const { found, seen } = await search(session, inputs, failure.id);
  const moved = overlap
    ? ` The old token (id ${overlap.id}) may expire at ${describeInstant(overlap.end, inputs, overlap.state)} now.`
    : "";
  if (found) {
    const message = `${failure.message}. ${describeName(inputs)} was created with id ${found.id}, but its secret never arrived and cannot be read again. It is kept in the state as unusable; the next "pulumi up" replaces it.${moved}`;
    return new PartialCreate(message, found.id, record(found));
  }
  const named = failure.id === undefined ? "" : ` The response named the id ${failure.id}.`;
  const advice = isProof(inputs)
    ? "Revoke it if it is there"
    : "Other stacks and people can have tokens of a name that was chosen: revoke one only if no stack declares it and nobody uses it";
  return new UncertainCreate(
    `${failure.message}. ${describeName(inputs)} may exist, but its secret was lost. The request is not sent again. ${seen}.${named}${moved} ${advice}, then run "pulumi up" again.`,
    { cause: failure },
  );
}

interface Search {
  readonly found?: Token;
  /** The result in words, if the token was not found for certain. */
  readonly seen: string;
}

async function search(session: Session, inputs: ApiTokenInputs, id: string | undefined): Promise<Search> {
  const { client } = session;
  let seen = "The tokens could not be listed to look for it";
  for await (const { signal, isFirst } of attempts(session)) {
    const answered = isFirst && id !== undefined && (await client.tokens.get(id, { signal }).catch(() => undefined));
    if (answered && answered.name === inputs.name) return { found: answered, seen: "" };
    try {
      const listed = await client.tokens.list({ signal });
      const bearers = listed.filter(({ name }) => name === inputs.name);
      const [found] = bearers;
      if (found && bearers.length === 1 && isProof(inputs)) return { found, seen: "" };
      if (found) return { seen: `Tokens of that name: ${joinShortened(bearers.map(({ id }) => id))}` };
      seen = "The list of tokens does not show it";
    } catch (e) {
      if (isApiError(e) && e.outcome === "refused") return { seen: `${seen} (${e.message})` };
      if (!isApiError(e)) break;
    }
  }
  return { seen };
}
