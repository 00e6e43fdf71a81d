import type { SecretNames } from "../contract";
import { type Answers, showsSecrets } from "../drift";

/**
 * The inputs that tell when a token ends. Of a `rotation` only the length does: it is named by its path, since one with secret
 * triggers alone hides nothing of the end.
 */
const tellsEnd: readonly string[] = ["expiresAt", "expiresIn", "rotation.expireAfter"];

/** What tells, with the end of a token, when its rotation is due; named by its path, too. */
const tellsWindow = "rotation.rotateBefore";

/** Whether the end of a token is secret, because it can be told from a secret input. */
export const hidesEnd = ({ secretInputs = [] }: SecretNames): boolean =>
  secretInputs.some((key) => tellsEnd.includes(key));

/** With the end among the secret inputs where it can be told from one of them. */
export const withSecretEnd = <Values extends SecretNames>(values: Values): Values =>
  hidesEnd(values)
    ? { ...values, secretInputs: [...new Set([...(values.secretInputs ?? []), "expiresAt"])].sort() }
    : values;

/** The outputs that are derived from secret inputs. */
export function derivedSecrets(values: SecretNames): readonly string[] {
  if (hidesEnd(values)) return ["expiresAt", "resolvedExpiresAt", "declaredExpiresAt", "rotatesAt"];
  return values.secretInputs?.includes(tellsWindow) ? ["rotatesAt"] : [];
}

/** The secret inputs of which more is recorded than themselves, under names that the engine does not know to be secret. */
const toldElsewhere: readonly string[] = ["name", "expiresAt", tellsWindow];

/** Whether a state shows in plain text what is a secret of these inputs: it has to be recorded anew. */
export const isBared = (state: Answers<object>, inputs: SecretNames): boolean =>
  showsSecrets(state, inputs) ||
  toldElsewhere.some((key) => inputs.secretInputs?.includes(key) && !state.secretInputs?.includes(key));
