import type { EventDatasets, Profile } from "../../sdk";
import type { NotedSession } from "../support/session";
import type { Resources } from "./resources";

/** An operation of a resource. One kind of its requests meets the fault. */
export interface LifecycleOperation {
  /** The name in the documentation. */
  readonly name: string;
  readonly profile: Profile;
  /** The requests that meet the fault, as "POST /v2/tokens"; a `*` stands for an id. */
  readonly request: string;
  /** Whether the response to that request has no body. */
  readonly withoutBody?: boolean;
  /** The words for success and for an unknown result, if they differ from the default. */
  readonly fine?: string;
  readonly failing?: string;
  /** Resolves to the result, in a word or two. */
  readonly run: (session: NotedSession, direct: EventDatasets, resources: Resources) => Promise<string>;
}
