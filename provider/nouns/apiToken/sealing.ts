import { isSecretInput } from "../../../framework/identity";
import { type Bag, type CheckFailure, PartialCreate } from "../../../framework/lifecycle";
import { hasUnknown } from "../../../framework/unknown";
import type { MintedToken } from "../../../sdk";
import { fingerprintOf } from "../../../values/fingerprint";
import { readRecipients } from "../../shared/seal/recipients";
import { rehearseSealing, sealText } from "../../shared/seal/seal";
import type { ApiTokenInputs, ApiTokenState } from "./definition";
import { describeName } from "./names";

/** Refuses to seal a secret that the program declares. `news` are well-formed. */
export function sealingFailures({ adopt, sealFor }: Bag): CheckFailure[] {
  const given = !hasUnknown(adopt) && (adopt as ApiTokenInputs["adopt"])?.token !== undefined;
  if (sealFor === undefined || !given) return [];
  const reason =
    "cannot be set together with sealFor: this secret has already passed through the program and the engine's state";
  return [{ property: "adopt.token", reason }];
}

/** Tries to seal for the recipients with the libraries, before there is a secret. */
export async function findUnusableKeys(inputs: ApiTokenInputs): Promise<CheckFailure[]> {
  const { sealFor } = inputs;
  if (sealFor === undefined || hasUnknown(sealFor)) return [];
  const reasons = await rehearseSealing(readRecipients(sealFor).recipients, isSecretInput(inputs, "sealFor"));
  return reasons.map((reason) => ({ property: "sealFor", reason: `cannot be used: ${reason}` }));
}

/** How the secret of a new token is recorded: as it is, or only as what its recipients can open. */
type RecordedSecret = Pick<ApiTokenState, "token" | "sealedToken" | "fingerprint">;

/**
 * Seals the secret of a new token if it has recipients.
 * @param state what is recorded of the token beside it
 * @throws PartialCreate if it cannot be sealed: the token is there, and nobody will ever know its secret
 */
export async function recordSecret({ id, token }: MintedToken, state: ApiTokenState): Promise<RecordedSecret> {
  if (state.sealFor === undefined) return { token };
  const fingerprint = fingerprintOf(token);
  try {
    const { recipients } = readRecipients(state.sealFor);
    return { sealedToken: await sealText(token, recipients, isSecretInput(state, "sealFor")), fingerprint };
  } catch (failure) {
    const message = `${describeName(state)} was created with id ${id}, but its secret could not be sealed and is gone: ${(failure as Error).message}. It is kept in the state as unusable; the next "pulumi up" replaces it.`;
    throw new PartialCreate(message, id, state);
  }
}
