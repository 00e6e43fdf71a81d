import type { ApiError, Token } from "../../../sdk";
import { PartialCreate, type Session } from "../contract";
import type { ApiTokenInputs, ApiTokenState } from "./model";

/** A token can appear in the list a little after its creation. */
const listAgainAfter = 2_000;

/**
 * The error for a create whose answer was lost. The token may be alive and its secret is nowhere, so it is looked for:
 * by the id that the answer still held, or by a name that only this attempt can have made. Found, it is tracked and the
 * next update replaces it. A name that the user chose proves nothing; its bearers are listed.
 */
export async function handleLostToken(session: Session, inputs: ApiTokenInputs, failure: ApiError): Promise<Error> {
  if (failure.id !== undefined) return trackLost(session, failure.id, inputs, failure);
  const found = await findByName(session, inputs);
  if (found instanceof Error) {
    return describePossibleToken(inputs, failure, `The tokens could not be listed to look for it (${found.message})`);
  }
  const [token] = found;
  if (token && found.length === 1 && inputs.autoName !== undefined)
    return trackLost(session, token.id, inputs, failure);
  if (found.length === 0) return describePossibleToken(inputs, failure, "The list of tokens does not show it");
  return describePossibleToken(inputs, failure, `Tokens of that name: ${found.map((t) => t.id).join(", ")}`);
}

async function findByName({ client, sleep }: Session, inputs: ApiTokenInputs): Promise<Token[] | Error> {
  const named = async () => (await client.tokens.list()).filter((token) => token.name === inputs.name);
  try {
    const first = await named();
    if (first.length > 0) return first;
    await sleep(listAgainAfter);
    return await named();
  } catch (e) {
    return e instanceof Error ? e : new Error(String(e));
  }
}

function trackLost({ client }: Session, id: string, inputs: ApiTokenInputs, failure: ApiError): PartialCreate {
  const state: ApiTokenState = { ...inputs, baseUrl: client.baseUrl, lost: true };
  return new PartialCreate(
    `${failure.message}. API token "${inputs.name}" was created with id ${id}, but its secret never arrived and cannot be read again. It is kept in the state as unusable; the next "pulumi up" replaces it.`,
    id,
    state,
    { cause: failure },
  );
}

const describePossibleToken = (inputs: ApiTokenInputs, failure: ApiError, seen: string): Error =>
  new Error(
    `${failure.message}. API token "${inputs.name}" may exist all the same, with a secret that nobody knows; it was not requested again. ${seen}. Revoke it if it is there, then run "pulumi up" again.`,
    { cause: failure },
  );
