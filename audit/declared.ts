import type { Bag } from "../framework/lifecycle";
import type { Declaration } from "./findings";
import type { StackIdentity } from "./identity";
import type { RecordedToken } from "./recordedToken";

/** A token in a state. Every encrypted value, at any depth, is `notKnown`. */
export interface DeclaredToken {
  readonly declaration: Declaration;
  readonly id: string;
  readonly inputs: Bag;
  readonly outputs: Bag;
  readonly record: RecordedToken;
  /**
   * The step that is missing after an interrupted replacement: the deletion of this token, or the creation of its successor. If
   * the successor is missing, the engine has finished the deletion.
   */
  readonly awaits: "deletion" | "successor" | undefined;
  /** When its successor was created, if this token awaits deletion and the engine recorded the time. */
  readonly since?: string;
  /** The engine drops it from the state without a deletion: the option `retainOnDelete`. */
  readonly isRetained: boolean;
  /** Groups the objects of one account: `groupProviders`. */
  readonly provider: string;
  /** For a token of another tool: the members of its declaration that this audit does not know. */
  readonly unknownMembers?: readonly string[];
}

/** A create that the engine started, and whose result it did not receive or did not record. */
export interface PendingCreate {
  readonly declaration: Declaration;
  readonly inputs: Bag;
  /** Whether its name was generated, so that no other token has it. A name that a program chose proves nothing. */
  readonly isNameOwn: boolean;
  /** Whether it adopted a live token, and so created none. */
  readonly isAdoption: boolean;
  /** Groups the objects of one account, as for a token. */
  readonly provider: string;
  /** The resource without an id that the state has for it, if there is one. */
  readonly recorded?: ResourceWithoutId;
}

/**
 * A custom resource that a state has without an id. The engine (3.276.0) records one if a create fails partially and an `onError` hook
 * then asks for all 100 attempts. From then on every preview, update, refresh and destroy of the stack fails.
 */
export interface ResourceWithoutId {
  readonly declaration: Declaration;
  /** Whether another resource has its URN, or depends on it: `pulumi state delete` then refuses to remove it. */
  readonly isNeeded: boolean;
}

/**
 * A custom resource of another type: from another provider, from a dynamic provider, another resource of this package, or from
 * Terraform. If it has the id of a token, its program manages the token.
 */
export interface OtherResource {
  readonly declaration: Declaration;
  readonly type: string;
  readonly id: string;
  /** Its declared values, if its type is known. */
  readonly token?: DeclaredToken;
}

/** How a state was read: by `pulumi stack export`, or from a file of Pulumi or Terraform. */
export type StateOrigin = "export" | "file" | "terraform";

/** The state of one stack. */
export interface StackState {
  /** The parts that the state contains: an exported state does not name its organization. */
  readonly identity: StackIdentity;
  readonly source: string;
  readonly origin: StateOrigin;
  /** When the engine wrote it. */
  readonly time?: string;
  /** Only for a Terraform state. */
  readonly lineage?: string;
  readonly serial?: number;
  readonly tokens: readonly DeclaredToken[];
  readonly pending: readonly PendingCreate[];
  /** Tokens that a program looks up with `ApiToken.get`: it uses them, but does not declare them. */
  readonly lookups: readonly Pick<OtherResource, "declaration" | "id">[];
  readonly others: readonly OtherResource[];
  /** Resources of every type that keep the engine from updating the stack. */
  readonly withoutId: readonly ResourceWithoutId[];
  /** Whether an update of the stack is running. Absent if its backend does not show this, or the state is from a file. */
  readonly update?: UpdateStatus;
}

/** An update that holds a stack: it is running, or it was killed and left its lock. */
export interface RunningUpdate {
  /** When it began, in ISO 8601, if the backend shows it. */
  readonly since?: string;
  /** Whether its process ran on this machine and has ended. */
  readonly isGone?: true;
}

/** The facts about updates of a stack that a backend knows, but a state does not. */
export type UpdateStatus = RunningUpdate | "none";

/** An update that takes longer has probably been killed. */
const usualTime = 3_600_000;

/** Describes the update, in words that follow the name of its stack, with the command for an update that was killed. */
export function describeUpdate({ since, isGone }: RunningUpdate, now: number): string {
  const from = since === undefined ? "" : ` since ${since}`;
  const isOld = isGone === true || (since !== undefined && now - Date.parse(since) >= usualTime);
  return isOld ? `is locked${from}; if no update is running, run pulumi cancel` : `is being updated${from}`;
}
