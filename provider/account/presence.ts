import { defined } from "../../values/defined";
import {
  compareAccounts,
  describeSighting,
  Evidence,
  type PresentAccount,
  type Sighting,
  type Verdict,
} from "./account";

/** The wait for hooks that the engine begins after others have ended, in milliseconds. */
const pause = 1_000;

/**
 * The present account of a process, with its evidence: an object that one hook finds proves the account of all objects that
 * were last seen with the same credential.
 */
export class Account {
  readonly evidence: Evidence;
  readonly #sleep: (ms: number) => Promise<void>;
  #underWay = 0;
  #waiting = 0;
  #changed = Promise.withResolvers<void>();

  constructor(here: PresentAccount, sleep: (ms: number) => Promise<void>) {
    this.evidence = new Evidence(here);
    this.#sleep = sleep;
  }

  get here(): PresentAccount {
    return this.evidence.here;
  }

  /** Runs a hook that may find evidence for others. */
  async run<T>(hook: () => Promise<T>): Promise<T> {
    this.#underWay++;
    try {
      return await hook();
    } finally {
      this.#underWay--;
      this.#noteChange();
    }
  }

  /** The sighting to record of an object that was found now. */
  see(recorded: Sighting = {}): Sighting {
    if (this.evidence.add(recorded)) this.#noteChange();
    const { fingerprint: _, ...here } = this.here;
    return defined({ ...here, account: here.account ?? recorded.account });
  }

  /** The sighting to record of an object that was not looked up: a new label, where the credential proves the account. */
  keep(recorded: Sighting): Sighting {
    const isSame = recorded.credentialHash === this.here.credentialHash;
    const { baseUrl, credentialHash, account, providerName } = recorded;
    const label = isSame ? (this.here.account ?? account) : account;
    return defined({ baseUrl, credentialHash, providerName, account: label });
  }

  /** Whether an object belongs to the present account according to its record alone. */
  isCertain(recorded: Sighting): boolean {
    if (recorded.baseUrl === undefined && recorded.account === undefined) return false;
    return compareAccounts(recorded, new Evidence(this.here)).is === "same";
  }

  /** Whether an object belongs to the present account, as far as this process has evidence. */
  isSame(recorded: Sighting): boolean {
    return compareAccounts(recorded, this.evidence).is === "same";
  }

  /** The same, but another credential at the same address counts as that of the account: a credential is renewed all the time. */
  isProbablySame(recorded: Sighting): boolean {
    const { is, because } = compareAccounts(recorded, this.evidence);
    return is === "same" || because === "credential";
  }

  /**
   * @param object its words in an error
   * @throws Error for an object of another account by the labels of both
   */
  refuseOther(object: string, recorded: Sighting): void {
    const { is, because } = compareAccounts(recorded, this.evidence);
    if (is !== "other" || because !== "label") return;
    throw new Error(
      [
        `${object} belongs to the account "${recorded.account}", and the present settings are those of`,
        `"${this.here.account}": use the settings of its own account, or remove it from the state`,
        `with "pulumi state delete".`,
      ].join(" "),
    );
  }

  /**
   * Refuses a "not found" of another account: it comes from a wrong setting, and would empty the state.
   * @param object its words in an error
   * @throws Error that says what was compared and what to do
   */
  async requireSame(object: string, recorded: Sighting): Promise<void> {
    this.refuseOther(object, recorded);
    const compare = () => compareAccounts(recorded, this.evidence);
    const isUnproven = ({ is, because }: Verdict) => is === "unknown" && because === "credential";
    await this.#waitUntil(() => !isUnproven(compare()));
    const verdict = compare();
    if (verdict.is === "same") return;
    const { here } = this;
    if (isUnproven(verdict)) {
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
    throw new Error(
      [
        `${here.baseUrl} does not have ${object}, but it was recorded on ${recorded.baseUrl}: check`,
        `the base URL. If the service moved and the object is gone, remove it with "pulumi state`,
        `delete".`,
      ].join(" "),
    );
  }

  /** Waits until all other hooks that can run without this one have ended. */
  waitForOthers(): Promise<void> {
    return this.#waitUntil(() => false);
  }

  /** Waits until something holds, or nothing but waiting hooks is under way. */
  async #waitUntil(holds: () => boolean): Promise<void> {
    this.#waiting++;
    try {
      for (let idle = false; !holds(); ) {
        if (this.#underWay > this.#waiting) {
          await this.#changed.promise;
          idle = false;
        } else if (idle) return;
        else {
          await this.#sleep(pause);
          idle = true;
        }
      }
    } finally {
      this.#waiting--;
    }
  }

  #noteChange(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

/**
 * Decides in a diff whether an update would look for an object in the account that it was recorded in.
 * - `"same"`: it would, or nothing is recorded.
 * - `"labelled"`: it would, and the account has a label now that is to be recorded.
 * - `"other"`: it would not, by the labels of both.
 * @param object its words in an error
 * @param here undefined: a setting is missing, which `check` reports
 * @throws Error if it may be another account: neither "unchanged" nor a new object would be right
 */
export function decidePlace(
  object: string,
  recorded: Sighting,
  here: PresentAccount | undefined,
): "same" | "labelled" | "other" {
  if (here === undefined) return "same";
  const verdict = compareAccounts(recorded, new Evidence(here));
  if (verdict.because === "label") return verdict.is === "same" ? "same" : "other";
  // A credential is renewed all the time; only together with another Provider it is another account, perhaps.
  const isRenewed = verdict.because === "credential" && recorded.providerName === here.providerName;
  if (verdict.is === "same" || isRenewed) {
    const isNewLabel = here.account !== undefined && recorded.credentialHash === here.credentialHash;
    return isNewLabel && verdict.because !== "nothing recorded" ? "labelled" : "same";
  }
  throw new Error(
    [
      `${object} was recorded on ${describeSighting(recorded)}, and the present settings are those of`,
      `${describeSighting(here)}. Nothing shows whether that is the same account, so nothing is`,
      "changed. If it is (the service moved, or the Provider has another name and credential), give",
      `both the same label with the setting "account": first with the settings of before ("pulumi`,
      `up" records it), then with the new ones. If it is another account, give each its own label`,
      "in the same way; the object is then replaced, and the old one is retired with the settings",
      "of before.",
    ].join(" "),
  );
}
