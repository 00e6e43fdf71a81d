import type { ApiTokenInputs } from "../../../provider/nouns/apiToken/definition";

/** The arguments of a program about the end of a token. */
export interface Word {
  readonly isBorrowed: boolean;
  readonly retire: ApiTokenInputs["retire"];
  readonly overlap?: string | undefined;
  /** A diff read the option `retainOnDelete` in the record, and announced it. */
  readonly isRetained?: boolean | undefined;
}

export const wordOf = ({ adopt, retire, rotation }: Partial<ApiTokenInputs>): Word => ({
  isBorrowed: adopt !== undefined,
  retire,
  overlap: rotation?.overlap,
});

/** The truth about a token whose resource gives it up. */
export interface Situation {
  /** Its replacement was interrupted, and gave its resource another name at the same time. */
  readonly isRenamed: boolean;
  /** That of the last diff of this process, else that of the last update that changed the token. */
  readonly word: Word;
  /** Another object of this process is the same token, or will be. */
  readonly otherOwner: boolean;
  /** Its expiry was moved; `unclear`: it has expired, or no diff of this process and no word of its record tells of it. */
  readonly overlap: undefined | "said" | "unclear";
  readonly canRevoke: boolean;
  readonly isCredential: boolean;
}

/** `kept`: the deletion succeeds, and a message names the token. `refused`: the deletion fails. */
export type End = "revoked" | "kept" | "either" | "refused";

/** The table of docs/guides/rotate.md; the first situation that holds decides. */
const table: readonly (readonly [rows: string, situation: (one: Situation) => boolean, end: End])[] = [
  // The process looks up what was planned by the key that the token has recorded, and the successor plans by its own.
  ["a known gap", ({ isRenamed }) => isRenamed, "either"],
  ["10", ({ otherOwner }) => otherOwner === true, "kept"],
  ["6", ({ word }) => word.isBorrowed, "kept"],
  ["3, 8, 12", ({ overlap }) => overlap === "said", "kept"],
  ["an announcement counts", ({ word }) => word.isRetained === true, "kept"],
  ["2, 4, 5, 7, 8", ({ word }) => word.retire === "expire", "kept"],
  ["2, 5", ({ canRevoke }) => !canRevoke, "kept"],
  // A token that has expired, was adopted, or whose overlap began in a process that died: only a moved expiry in its record tells.
  ["3", ({ overlap }) => overlap === "unclear", "either"],
  ["11", ({ isCredential }) => isCredential, "refused"],
  ["1, 4, 5, 7, 8, 9, 13", () => true, "revoked"],
];

export const endOf = (situation: Situation): End => table.find(([, holds]) => holds(situation))?.[2] ?? "revoked";
