import * as pulumi from "@pulumi/pulumi";
import { printable } from "../../sdk/values/printable";
import { recipientName, type SealRecipient } from "../lifecycle/seal/recipients";
import type { Inputs } from "./inputs";

/**
 * Whom a token's secret is sealed for: an age recipient (`age1…`), or a GitHub public key with its id. Other members of an
 * object are ignored, so that what GitHub's provider looks up can be given as it is.
 */
export type RecipientArgs = Inputs<SealRecipient>;

/** One recipient, or several. */
export type SealForArgs = RecipientArgs | pulumi.Input<readonly RecipientArgs[]>;

/** The recipients, without what an object holds besides. */
export const withoutOtherMembers = (sealFor: SealForArgs | undefined): pulumi.Output<unknown> | undefined =>
  sealFor === undefined ? undefined : pulumi.all([sealFor]).apply(([known]) => reduced(known));

function reduced(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reduced);
  if (typeof value !== "object" || value === null) return value;
  const { key, keyId } = value as { key?: unknown; keyId?: unknown };
  return { key, keyId };
}

/**
 * The value that is sealed for a recipient, or the only one there is.
 * @throws Error if it is sealed, but not for this one
 */
export function findSealed(
  sealedToken: Readonly<Record<string, string>> | undefined,
  recipient: unknown,
): string | undefined {
  if (!sealedToken) return undefined;
  const names = Object.keys(sealedToken);
  const name = recipient === undefined && names.length === 1 ? names[0] : recipientName(recipient);
  if (name !== undefined && Object.hasOwn(sealedToken, name)) return sealedToken[name];
  const wanted =
    recipient === undefined ? "sealedFor() needs a recipient" : "the token is not sealed for this recipient";
  throw printable(new Error(`${wanted}: it is sealed for ${names.join(", ")}`));
}
