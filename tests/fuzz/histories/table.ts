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
  /**
   * That of the last diff of this process, else that of the last update that changed the token: also after an interruption whose
   * update gave its resource another name.
   */
  readonly word: Word;
  /** Another object of this process is the same token, or will be. */
  readonly otherOwner: boolean;
  /** Its expiry was moved, and a word or the service says so. */
  readonly hasOverlap: boolean;
  readonly canRevoke: boolean;
  readonly isCredential: boolean;
}

/** `kept`: the deletion succeeds, and a message names the token. `refused`: the deletion fails. */
export type End = "revoked" | "kept" | "refused";

/** The table of docs/guides/rotate.md; the first situation that holds decides. */
const table: readonly (readonly [rows: string, situation: (one: Situation) => boolean, end: End])[] = [
  ["10", ({ otherOwner }) => otherOwner === true, "kept"],
  ["6", ({ word }) => word.isBorrowed, "kept"],
  ["3, 8, 12", ({ hasOverlap }) => hasOverlap, "kept"],
  ["an announcement counts", ({ word }) => word.isRetained === true, "kept"],
  ["2, 4, 5, 7, 8", ({ word }) => word.retire === "expire", "kept"],
  ["2, 5", ({ canRevoke }) => !canRevoke, "kept"],
  ["11", ({ isCredential }) => isCredential, "refused"],
  ["1, 4, 5, 7, 8, 9, 13", () => true, "revoked"],
];

export const endOf = (situation: Situation): End => table.find(([, holds]) => holds(situation))?.[2] ?? "revoked";
