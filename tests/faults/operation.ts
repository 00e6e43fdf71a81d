import type { EventDatasets, Profile } from "../../sdk";
import type { NotedSession } from "../support/session";
import type { Resources } from "./resources";

/** An operation of a resource, on a service whose answer to one kind of request is at fault. */
export interface LifecycleOperation {
  /** The name in the documentation. */
  readonly name: string;
  readonly profile: Profile;
  /** The requests that meet the fault, as "POST /v2/tokens"; a `*` stands for an id. */
  readonly request: string;
  /** The answer to that request has no body. */
  readonly withoutBody?: boolean;
  /** Its words for success, and for not knowing, if they differ from the others'. */
  readonly fine?: string;
  readonly failing?: string;
  /** A token whose answer was lost is revoked and made once more. */
  readonly revokes?: boolean;
  /** Says in a word or two how it ended. */
  readonly run: (session: NotedSession, direct: EventDatasets, resources: Resources) => Promise<string>;
}
