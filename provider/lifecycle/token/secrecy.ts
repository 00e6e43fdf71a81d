/** Values with the names of those that are secret. */
interface Declared {
  readonly secretInputs?: readonly string[];
}

/**
 * The inputs that tell when a token ends. Of a `rotation` only the length does: it is named by its path, since one with secret
 * triggers alone hides nothing of the end.
 */
const tellsEnd: readonly string[] = ["expiresAt", "expiresIn", "rotation.expireAfter"];

/** Whether the end of a token is secret, because it can be told from a secret input. */
export const hidesEnd = ({ secretInputs = [] }: Declared): boolean =>
  secretInputs.some((key) => tellsEnd.includes(key));

/** With the end among the secret inputs where it can be told from one of them. */
export const withSecretEnd = <Values extends Declared>(values: Values): Values =>
  hidesEnd(values)
    ? { ...values, secretInputs: [...new Set([...(values.secretInputs ?? []), "expiresAt"])].sort() }
    : values;

/** The outputs that are derived from secret inputs. */
export const derivedSecrets = (values: Declared): readonly string[] =>
  hidesEnd(values) ? ["expiresAt", "resolvedExpiresAt", "declaredExpiresAt", "rotatesAt"] : [];
