import { makePrintable } from "../../values/printable";
import { recipientName } from "../seal/recipients";

/**
 * The value that is sealed for a recipient, or the only one there is.
 * @param isSecret whether the recipients are secret
 * @throws Error if it is sealed, but not for this one
 */
export function findSealed(
  sealedToken: Readonly<Record<string, string>> | undefined,
  recipient: unknown,
  isSecret = false,
): string | undefined {
  if (!sealedToken) return undefined;
  const names = Object.keys(sealedToken);
  const name = recipient === undefined && names.length === 1 ? names[0] : recipientName(recipient);
  if (name !== undefined && Object.hasOwn(sealedToken, name)) return sealedToken[name];
  const wanted =
    recipient === undefined ? "sealedFor() needs a recipient" : "the token is not sealed for this recipient";
  throw makePrintable(new Error(`${wanted}: it is sealed for ${isSecret ? "secret ones" : names.join(", ")}`));
}
