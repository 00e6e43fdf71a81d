import type { Settings } from "../../../sdk";
import { canonicalAddress } from "../../../values/address";
import { fingerprintOf } from "../../../values/fingerprint";

/**
 * The recorded proofs that a token belongs to an account: the documented interface names no account. They can never prove that
 * a token belongs to another account. They reveal nothing about the arguments.
 */
export interface Evidence {
  /** Time of creation, to the second. Absent for a token that this provider did not create. */
  readonly created?: Date | undefined;
  /** The first 12 hexadecimal digits of the SHA-256 hash of base URL, access token and organization, as they were last used. */
  readonly credential?: string | undefined;
  /** Ids of up to two other tokens of the account. */
  readonly beside: readonly string[];
}

/** Evidence is recorded as one short text, "TIME CREDENTIAL ID ID", whose time is the number of seconds since 1970 in base 36. */
export function writeEvidence({ created, credential, beside }: Evidence): string {
  const time = created && Math.floor(created.getTime() / 1_000).toString(36);
  const ids = beside.map((id) => id.replace(/[%| ]/g, encodeURIComponent));
  return [time, credential, ...ids].filter(Boolean).join(" ");
}

/** Reads the evidence in a state, whatever its form. */
export function readEvidence(recorded: unknown): Evidence {
  const [, time, credential, ids = ""] = /^([0-9a-z]{1,8} )?([0-9a-f]{12})((?: [^ ]+)*)$/.exec(String(recorded)) ?? [];
  const created = time === undefined ? undefined : new Date(Number.parseInt(time, 36) * 1_000);
  const [, ...texts] = ids.split(" ");
  const beside = texts.map((id) => id.replace(/%(25|7C|20)/g, decodeURIComponent));
  return { created, credential, beside };
}

/** A service may show a new object late, in milliseconds. */
const settling = 2 * 60_000;

/** Whether a token is so new that the service may not show it yet. */
export function isYoung(recorded: unknown, now: Date): boolean {
  const { created } = readEvidence(recorded);
  return created !== undefined && now.getTime() - created.getTime() < settling;
}

export const credentialOf = (settings: Pick<Settings, "baseUrl" | "accessToken" | "orgId">): string =>
  fingerprintOf([canonicalAddress(settings.baseUrl), settings.accessToken, settings.orgId ?? ""].join("\n"));

/** The witnesses that a token has. */
const mostBeside = 2;

/** Selects the witnesses of a token from several sources: the first ones that can be used. */
export function chooseBeside(
  isUsable: (id: string) => boolean,
  ...sources: readonly Iterable<string>[]
): readonly string[] {
  const chosen = new Set<string>();
  for (const source of sources) {
    for (const id of source) {
      if (chosen.size === mostBeside) return [...chosen];
      if (isUsable(id)) chosen.add(id);
    }
  }
  return [...chosen];
}
