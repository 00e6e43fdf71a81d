import type { DeadlineKind } from "./operations";
import type { Addition, CheckedRequest } from "./requests";
import { maxRetryAfter } from "./retry";
import { howToExtend, type Settings, spellSetting } from "./settings";

/** A response that refuses a request, or says that the service failed. */
export interface Refusal {
  readonly status: number;
  /** The service's own text. */
  readonly message: string;
  /** Whether the response is JSON, as the service's own responses are. */
  readonly json: boolean;
  /** How long the service asks to wait, in milliseconds. */
  readonly wait: number | undefined;
}

type SentRequest = Omit<CheckedRequest, "search"> & { readonly kind: DeadlineKind };

/** Advises a user whose request was refused: a sentence about the status. */
export function adviseOnStatus({ status, json, wait = 0 }: Refusal, call: SentRequest, settings: Settings): string {
  if (status >= 300 && status <= 399) return "redirects are never followed: set the base URL to the final address";
  switch (status) {
    case 401:
      return `the access token (from ${settings.credentialFrom}) is not valid`;
    case 403:
      // Sources disagree about a token that is not valid: 401 or 403 (extended interface, "Errors and limits").
      return `the access token (from ${settings.credentialFrom}) lacks a capability, or is not valid: this call needs ${call.needs}`;
    case 404:
      if (isEdge(settings))
        return "an edge deployment has only /v1/query: set edgeUrl to this address, and baseUrl to the main one";
      return call.kind === "query" && json
        ? "does the dataset exist, and may the access token query it?"
        : `not found under ${settings.baseUrl}; is the base URL right?`;
    case 429: {
      const problem = call.kind === "query" ? "a rate limit or query cost limit is used up" : "too many requests";
      return `${problem}: try again later, in ${toSeconds(wait)} s at the earliest`;
    }
    case 430:
      return "the limit for queries is used up: try again later";
    default:
      if (status < 500) return "";
      return wait > maxRetryAfter
        ? `the service failed and asks for a wait of ${toSeconds(wait)} s before the next attempt`
        : "the service failed";
  }
}

/** Whether all requests go to an edge deployment of Axiom (extended interface, "Edge deployments"). */
const isEdge = ({ baseUrl, edgeUrl }: Settings): boolean =>
  edgeUrl === undefined && new URL(baseUrl).hostname.endsWith(".edge.axiom.co");

const toSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

/** The statuses with which a service refuses an unknown request. */
const unknownRequest: ReadonlySet<number> = new Set([400, 404, 405, 422, 501]);

/**
 * Recognizes that the profile is wrong for the service. A service can require a parameter that only the profile `extended`
 * sends, and a service that offers only the documented interface refuses the additions of `extended`.
 * @returns advice if the profile is the likely reason
 */
export function adviseOnProfile(refusal: Refusal, { additions, unnamed }: SentRequest, settings: Settings): string {
  if (!unknownRequest.has(refusal.status)) return "";
  const { nameOf = spellSetting } = settings;
  const unnamedOne = unnamed.find((name) => mentions(refusal.message, name));
  if (unnamedOne !== undefined) {
    return (
      `the profile "documented" does not know the name of the query parameter ${unnamedOne}: ` +
      `${howToExtend(settings)}, or ${nameOf("formatParameter")} to the name`
    );
  }
  const refused = additions.find((addition) => isRefusedBy(refusal, addition));
  if (!refused) return "";
  const { kind, name } = refused;
  return (
    `the ${kind} ${name} is in the profile "${settings.profile}" only: ` +
    `if the service does not have it, set ${nameOf("profile")} to "documented"`
  );
}

/** An unknown operation has no path. For a field or a parameter, the service names it, or at least its kind. */
function isRefusedBy({ status, message }: Refusal, { kind, name }: Addition): boolean {
  if (kind === "operation") return status === 404 || status === 405 || status === 501;
  return status !== 404 && (mentions(message, name) || mentions(message, kind));
}

const mentions = (message: string, words: string): boolean =>
  new RegExp(`\\b${words.replace(/[^\w ]/g, "\\$&")}\\b`, "i").test(message);
