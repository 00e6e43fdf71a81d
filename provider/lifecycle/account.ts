import { createHash } from "node:crypto";
import { canonicalAddress } from "../../sdk/values/address";
import { defined } from "../../sdk/values/defined";

/**
 * Where and how an object was last seen. Many accounts share one address, and nothing in the documented interface names an
 * account, so all of it together tells which one an object belongs to.
 */
export interface Sighting {
  /** Address of the service. */
  readonly baseUrl?: string;
  /** The first 12 hexadecimal digits of the SHA-256 of the credential. */
  readonly credentialHash?: string;
  /** The user's own label of the account, if there is one. */
  readonly account?: string;
  /** Name of the explicit provider; absent for the default one. */
  readonly providerName?: string;
}

/** The members of a `Sighting`, for tables of what is recorded. */
export const sightingKeys = [
  "baseUrl",
  "credentialHash",
  "account",
  "providerName",
] as const satisfies readonly (keyof Sighting)[];

/** How the provider of this process reaches the service. */
export interface PresentAccount extends Sighting {
  readonly baseUrl: string;
  readonly credentialHash: string;
}

/** A personal token works for the organisation that it is sent with, so that one is part of the credential. */
export const hashCredential = (accessToken: string, orgId?: string): string =>
  createHash("sha256")
    .update(orgId === undefined ? accessToken : `${accessToken}\n${orgId}`)
    .digest("hex")
    .slice(0, 12);

/** The engine begins the next hooks right after others have ended; this long is waited for them, in milliseconds. */
const pause = 1_000;

/**
 * The account that this process works with, and what shows that recorded objects belong to it. One for all hooks of a
 * process: an object that one of them found speaks for the others that were last seen with the same credential.
 */
export class Account {
  readonly here: PresentAccount;
  readonly #sleep: (ms: number) => Promise<void>;
  readonly #proven = new Set<string>();
  #underWay = 0;
  #waiting = 0;
  #changed = Promise.withResolvers<void>();

  constructor(here: PresentAccount, sleep: (ms: number) => Promise<void>) {
    this.here = here;
    this.#sleep = sleep;
    this.#proven.add(here.credentialHash);
  }

  /** Runs a hook, so that others know that it may still find something. */
  async run<T>(hook: () => Promise<T>): Promise<T> {
    this.#underWay++;
    try {
      return await hook();
    } finally {
      this.#underWay--;
      this.#noteChange();
    }
  }

  /** The state of an object that was found just now, with where and how. It speaks for others of the same credential. */
  record<State extends Sighting>(state: State): State {
    const { baseUrl: _, credentialHash, account, providerName: __, ...rest } = state;
    if (credentialHash !== undefined && !this.#proven.has(credentialHash)) {
      this.#proven.add(credentialHash);
      this.#noteChange();
    }
    return { ...rest, ...defined({ ...this.here, account: this.here.account ?? account }) } as State;
  }

  /** Whether an object belongs to the present account for all that is recorded of it, without asking anybody. */
  isCertain({ baseUrl, credentialHash, account }: Sighting): boolean {
    if (account !== undefined && this.here.account !== undefined) return account === this.here.account;
    return (
      baseUrl !== undefined && isSameAddress(baseUrl, this.here.baseUrl) && credentialHash === this.here.credentialHash
    );
  }

  /** The label to record of an object that was not looked up: the present one only where the credential is the same. */
  labelFor({ credentialHash, account }: Sighting): string | undefined {
    return credentialHash === this.here.credentialHash ? (this.here.account ?? account) : account;
  }

  /**
   * @param object how to call it in an error
   * @throws Error for an object of another account by the labels of both
   */
  refuseOther(object: string, { account }: Sighting): void {
    if (account === undefined || this.here.account === undefined || account === this.here.account) return;
    throw new Error(
      [
        `${object} belongs to the account "${account}", and the present settings are those of`,
        `"${this.here.account}": use the settings of its own account, or remove it from the state`,
        `with "pulumi state delete".`,
      ].join(" "),
    );
  }

  /**
   * "Not found" is believed only of the account that an object was recorded in. Elsewhere it means a wrong setting, and
   * believing it would empty the state and mint everything anew.
   * @param object how to call it in an error
   * @throws Error that says what was compared and what to do
   */
  async requireSame(object: string, recorded: Sighting): Promise<void> {
    const { here } = this;
    this.refuseOther(object, recorded);
    if (recorded.account !== undefined && recorded.account === here.account) return;
    if (recorded.baseUrl !== undefined && !isSameAddress(recorded.baseUrl, here.baseUrl)) {
      throw new Error(
        [
          `${here.baseUrl} does not have ${object}, but it was recorded on ${recorded.baseUrl}: check`,
          `the base URL. If the service moved and the object is gone, remove it with "pulumi state`,
          `delete".`,
        ].join(" "),
      );
    }
    if (recorded.credentialHash === undefined || (await this.#isProven(recorded.credentialHash))) return;
    throw new Error(
      [
        `${here.baseUrl} does not have ${object}, but that does not show that it is gone: it was last`,
        `seen with another credential (hash ${recorded.credentialHash}; the present one has`,
        `${here.credentialHash}), and nothing that was last seen with that one was found with the`,
        "present one. If the present credential belongs to another account, use one of the account",
        `that it was made in. If it is the same account, remove the object with "pulumi state`,
        `delete".`,
      ].join(" "),
    );
  }

  /** Waits for what other hooks find, until none of them can any more. */
  async #isProven(hash: string): Promise<boolean> {
    this.#waiting++;
    try {
      for (let idle = false; !this.#proven.has(hash); ) {
        if (this.#underWay > this.#waiting) {
          await this.#changed.promise;
          idle = false;
        } else if (idle) return false;
        else {
          await this.#sleep(pause);
          idle = true;
        }
      }
      return true;
    } finally {
      this.#waiting--;
    }
  }

  #noteChange(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

const isSameAddress = (a: string, b: string): boolean => canonicalAddress(a) === canonicalAddress(b);

/**
 * Whether an update would look for an object in another account than the one that it was recorded in.
 * - `"same"`: it is the same one, or nothing is known of where it was recorded.
 * - `"labelled"`: it is the same one, which has a label now that is to be recorded.
 * - `"other"`: it is another one by the labels of both.
 * @param object how to call it in an error
 * @throws Error if it may be another one: neither "unchanged" nor a new object would be right
 */
export function compareAccounts(
  object: string,
  recorded: Sighting,
  here: PresentAccount | undefined,
): "same" | "labelled" | "other" {
  if (here === undefined || recorded.baseUrl === undefined) return "same";
  if (recorded.account !== undefined && here.account !== undefined) {
    return recorded.account === here.account ? "same" : "other";
  }
  const { credentialHash, providerName } = recorded;
  const isOtherProvider = providerName !== here.providerName;
  const isSameCredential = credentialHash === undefined || credentialHash === here.credentialHash;
  if (!isSameAddress(recorded.baseUrl, here.baseUrl) || (isOtherProvider && !isSameCredential)) {
    throw new Error(
      [
        `${object} was recorded on ${describePlace(recorded)}, and the present settings are those of`,
        `${describePlace(here)}. Nothing shows whether that is the same account, so nothing is`,
        "changed. If it is (the service moved, or the Provider has another name and credential), give",
        `both the same label with the setting "account": first with the settings of before ("pulumi`,
        `up" records it), then with the new ones. If it is another account, give each its own label`,
        "in the same way; the object is then replaced, and the old one is retired with the settings",
        "of before.",
      ].join(" "),
    );
  }
  const isNewLabel = here.account !== undefined && credentialHash === here.credentialHash;
  return isNewLabel ? "labelled" : "same";
}

function describePlace({ baseUrl, providerName, credentialHash }: Sighting): string {
  const provider = providerName === undefined ? "the default provider" : `Provider "${providerName}"`;
  return `${baseUrl} (${provider}, credential hash ${credentialHash ?? "unknown"})`;
}
