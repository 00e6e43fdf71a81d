import type { Selection } from "../../../framework/testing";
import type { ApiTokenInputs, ApiTokenState } from "../../../provider/nouns/apiToken/definition";
import type { Word } from "./table";

/** A resource as a program declares it. */
export interface Declared {
  readonly args: Readonly<Partial<ApiTokenInputs>>;
  readonly provider: string;
  readonly deleteBeforeReplace?: boolean;
  readonly retainOnDelete?: boolean;
  /** An earlier name of the resource. */
  readonly alias?: string;
}

/** An object as the engine records it. */
export interface Recorded {
  readonly key: string;
  readonly id: string;
  readonly inputs: ApiTokenInputs;
  readonly state: ApiTokenState;
  readonly provider: string;
  readonly isRetained: boolean;
  /** It was replaced, and its deletion is pending. */
  readonly isPending?: boolean;
  /** The words of the program of the last update that changed it. */
  readonly word: Word;
  /** Its create failed, and nobody has its secret. */
  readonly isLost?: boolean;
  /** The tokens that it replaced and that may still be valid, as the updates planned. */
  readonly replaced: readonly (Pick<Recorded, "key" | "id"> & { readonly isKept: boolean })[];
}

export interface Command extends Selection {
  readonly kind: "up" | "up --refresh" | "refresh" | "destroy";
  /** The access token of each provider. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly notFound?: string;
  /** The option `--continue-on-error`. */
  readonly goesOn?: boolean;
  /** The option `--replace`: the engine asks no diff. */
  readonly replace?: readonly string[];
  /** `replaceOnChanges`: a change in place becomes a replacement. */
  readonly onChanges?: readonly string[];
  /** The tokens whose consumers fail. */
  readonly failing?: readonly string[];
  /** How far this machine's clock is ahead, in milliseconds. */
  readonly ahead?: number;
}
