import { mayExpireLater, readExpiry } from "../values/expiry";
import { describeSettings, isElsewhere, type Places } from "./account";
import { describeUpdate } from "./declared";
import { type Cure, type Found, grantsOf, subjectOf } from "./findings";
import type { RetiredToken, UnfinishedCreate } from "./holders";
import { describeTokenExpiry, isExpired, type LiveToken } from "./liveToken";
import type { Rulebook } from "./tokens";

/** Findings about a live token that no stack declares. An expired token is reported by the rule `expiry`. */
export function* auditUndeclared(live: LiveToken, book: Rulebook): Generator<Found> {
  const { ids, retired, others, pendingNames } = book.recorded;
  if (ids.has(live.id) || isExpired(live, book.now)) return;
  const old = retired.get(live.id);
  const found = old ? describeRetired(live, old) : describeUnknown(live, book);
  // Another tool manages it: the rule `foreign` names the resource.
  if (others.has(live.id) && (found.rule === "undeclared" || found.rule === "orphaned")) return;
  yield found;
  if (old) return;
  // Updates that may be waiting for the response to the create of the token.
  for (const { update, declaration: declared } of pendingNames.get(live.name) ?? []) {
    if (typeof update !== "object") continue;
    const message = `API token "${live.name}" may soon be in use: the stack that creates it ${describeUpdate(update, book.now)}`;
    yield { rule: "updating", message, token: { id: live.id, name: live.name }, declared, detail: update.since };
  }
}

/** Findings for creates that did not finish, and that no live token is attributed to. */
export function* auditUnfinished(live: Iterable<LiveToken>, book: Rulebook, places: Places): Generator<Found> {
  const attributed = new Set([...live].map((token) => findCreate(token, book)));
  for (const creates of book.recorded.pendingNames.values()) {
    const isShared = creates.some((create) => attributed.has(create));
    for (const create of creates) if (!attributed.has(create)) yield describeUnfinished(create, isShared, places);
  }
}

/** The create that has probably left a token behind. */
function findCreate({ id, name, expiryTime }: LiveToken, { recorded, now }: Rulebook): UnfinishedCreate | undefined {
  const { ids, retired, others, pendingNames } = recorded;
  const isKnown = ids.has(id) || retired.has(id) || others.has(id) || isExpired({ expiryTime }, now);
  return isKnown ? undefined : pendingNames.get(name)?.at(-1);
}

/** The finding about a token whose id is in no state. */
function describeUnknown(live: LiveToken, book: Rulebook): Found {
  const { words, token } = subjectOf(live);
  const about = { token, detail: grantsOf(live) };
  const create = findCreate(live, book);
  if (create) return { ...describeLeft(words, create), ...about, declared: create.declaration };
  // A program that looks a token up uses it, and fails if the token is revoked.
  const lookup = book.recorded.lookups.get(live.id);
  const hint = lookup === undefined ? "" : `; ${lookup.stack} looks it up (ApiToken.get)`;
  return { rule: "undeclared", message: `${words} is declared by no audited stack${hint}`, ...about };
}

/** The finding for the token of a create. Only a name that was generated for the create proves that nobody has the secret. */
function describeLeft(words: string, create: UnfinishedCreate): Pick<Found, "rule" | "message" | "cures"> {
  const repair = describeRepair(create);
  if (!create.isNameOwn) {
    const doubt = "has the same name as an unfinished create that may have created it; no audited stack tracks it";
    return { rule: "orphaned", message: `${words} ${doubt}${repair}`, cures: ["look"] };
  }
  // The resource without an id is the proof.
  const first = create.recorded ? "; revoke it before you repair the stack" : "";
  const message = `${words} was created by an update that did not finish, and no stack tracks it${first}${repair}`;
  return { rule: "orphaned", message, cures: ["revoke", create.recorded ? "remove" : "clear"] };
}

/**
 * The finding for a create that left no token of its name here.
 * @param isShared a token was attributed to another create of that name
 */
function describeUnfinished(create: UnfinishedCreate, isShared: boolean, places: Places): Found {
  const { name, declaration: declared, recorded } = create;
  const subject = subjectOf({ name });
  const words = `The create of ${name === undefined ? "an API token" : subject.words} did not finish`;
  const about = { token: subject.token, declared };
  const doubt = `nothing proves that it belongs to the audited account: ${describeSettings(create)}`;
  if (isElsewhere(create, places)) return { rule: "elsewhere", message: `${words}, and ${doubt}`, ...about };
  const found = isShared
    ? "neither did another create of that name: one of them may have created the orphaned token"
    : "it left no valid token of that name";
  const left = name === undefined ? "its name is encrypted, so the audit cannot look for the token" : found;
  const isHere = places.isHere(create);
  const message = `${words}; ${left}${isHere ? "" : `, but ${doubt}`}${describeRepair(create)}`;
  const cures: Cure[] = !isHere ? ["keep"] : recorded ? ["remove"] : [name === undefined ? "keep" : "clear"];
  return { rule: "pending", message, ...about, cures };
}

/** The end of a finding about a create whose resource has no id. */
const describeRepair = ({ recorded }: UnfinishedCreate): string =>
  recorded === undefined
    ? ""
    : "; its onError hook never returned false, so no update of the stack can run: pulumi-event-datasets recover prints the commands that repair it";

/** The finding about a replaced token that is what it was: a note if it was meant to stay valid. */
function describeRetired(live: LiveToken, { fate, until, successor }: RetiredToken): Found {
  const { words, token } = subjectOf(live);
  const valid = describeTokenExpiry(live);
  const about = { token, declared: successor.declaration, detail: grantsOf(live) };
  if (fate === "unfinished") {
    const message = `${words} was replaced by ${successor.id}, but the update that should have revoked it did not finish: it ${valid}`;
    return { rule: "orphaned", message, ...about, cures: ["look"] };
  }
  const isProlonged = until !== undefined && mayExpireLater(readExpiry(live.expiresAt), readExpiry(until));
  const message = `${words} was replaced by ${successor.id} and ${valid}`;
  return { rule: isProlonged ? "escalated" : "retired", message, ...about };
}
