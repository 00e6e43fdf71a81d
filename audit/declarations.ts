import type { Token } from "../sdk";
import { joinShortened } from "../values/shorten";
import { describeSettings, type Places } from "./account";
import type { DeclaredToken } from "./declared";
import {
  compareWithLive,
  describeDifference,
  expectedOf,
  expiriesOf,
  grantFields,
  hasExpired,
  isCutShort,
  nameOf,
} from "./differences";
import { type Cure, type Found, grantsOf, subjectOf } from "./findings";
import { isBorrowed, type Recorded } from "./holders";
import { isExpired, type LiveToken } from "./liveToken";

/** The account with which recorded tokens are compared. */
export interface LiveAccount {
  readonly live: ReadonlyMap<string, LiveToken>;
  readonly places: Places;
  readonly baseUrl: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Findings about everything that states have recorded about tokens, apart from creates of tokens that did not finish. */
export function* auditRecorded(recorded: Recorded, account: LiveAccount): Generator<Found> {
  for (const token of recorded.all) {
    const live = account.live.get(token.id);
    if (token.awaits !== undefined) yield* auditReplaced(token, live, recorded, account);
    else yield* live ? auditDeclared(token, live, account) : [describeAbsent(token, account)];
  }
  yield* findShared(recorded, account);
  for (const { declaration, recorded: withoutId } of recorded.adoptions) {
    const message = "The adoption of an API token did not finish; an adoption creates no token";
    const cures: Cure[] = [withoutId ? "remove" : "clear"];
    yield { rule: "pending", message, token: {}, declared: declaration, cures };
  }
}

/** A token of a state in words, and as a finding names it. */
function introduce(token: DeclaredToken) {
  const { words, token: named } = subjectOf({ id: token.id, name: nameOf(token) });
  return { words, about: { token: named, declared: token.declaration } };
}

/** The cures of a token of ours: an update by Pulumi changes nothing about one that another tool declares. */
const curedBy = ({ unknownMembers }: DeclaredToken, ...cures: Cure[]): Pick<Found, "cures"> =>
  unknownMembers === undefined ? { cures } : {};

/** Findings about a declared token that is live. */
function* auditDeclared(token: DeclaredToken, live: LiveToken, { now }: LiveAccount): Generator<Found> {
  const { declaration: declared, id, record } = token;
  const { words, token: named } = subjectOf({ id, name: live.name });
  if (isCutShort(token, live, now)) {
    const message = `${words} is declared, but it expired on ${live.expiresAt}, before its declared expiry: somebody moved it`;
    return yield {
      rule: "missing",
      message,
      token: named,
      declared,
      detail: live.expiresAt,
      ...curedBy(token, "refresh"),
    };
  }
  if (record.isLost) {
    const message = `${words} was created, but its secret never arrived: the next update replaces it`;
    yield { rule: "pending", message, token: named, declared, cures: ["up"] };
  }
  yield* compare(token, live);
}

/** Findings about a token that gave way to a replacement that did not finish. */
function* auditReplaced(
  token: DeclaredToken,
  live: LiveToken | undefined,
  { ids }: Recorded,
  { now }: LiveAccount,
): Generator<Found> {
  const { words, about } = introduce(token);
  if (token.awaits === "successor") {
    const message = `${words} was to be replaced, but the replacement did not finish: run pulumi up`;
    yield { rule: "pending", message, ...about, cures: ["up"] };
  }
  // If another resource tracks it now, it is compared with that resource.
  if (!live || ids.get(token.id)?.[0]?.awaits === undefined) return;
  yield* compare(token, live);
  if (token.awaits !== "deletion" || isExpired(live, now)) return;
  const message = `${words} was replaced${describeAge(token, now)}, but its deletion did not succeed: it is still valid. Run pulumi up`;
  yield { rule: "orphaned", message, ...about, detail: grantsOf(live), cures: ["up"] };
}

const day = 86_400_000;

function describeAge({ since }: DeclaredToken, now: number): string {
  if (since === undefined) return "";
  const age = Math.floor((now - Date.parse(since)) / day);
  return age < 1 ? " less than a day ago" : ` ${age} day${age === 1 ? "" : "s"} ago`;
}

/**
 * Findings for the differences between a live token and its declaration. A replaced token matters only if it grants more than
 * declared.
 */
function* compare(token: DeclaredToken, live: Token): Generator<Found> {
  const { awaits, unknownMembers = [] } = token;
  const about = { token: { id: token.id, name: live.name }, declared: token.declaration };
  const words = `API token "${live.name}"${awaits ? `, which waits for its ${awaits},` : ""}`;
  const { differences, uncompared } = compareWithLive(expectedOf(token), live, awaits ? grantFields : undefined);
  for (const [rule, more] of [
    ["hidden-expiry", "stay valid for longer"],
    ["hidden-capabilities", "grant more"],
  ] as const) {
    const fields = uncompared.filter((field) => (field === "expiresAt") === (rule === "hidden-expiry"));
    if (fields.length === 0) continue;
    const why = fields.some((field) => live.odd?.[field] !== undefined)
      ? "the service sent a value of an unknown form"
      : unknownMembers.length > 0
        ? `its declaration has members that are not known: ${joinShortened(unknownMembers)}`
        : "the declared value is encrypted in the state";
    const message = `${words} may ${more} than declared: ${fields.join(", ")} cannot be compared, because ${why}`;
    yield { rule, message, ...about, detail: rule === "hidden-expiry" ? live.expiresAt : grantsOf(live) };
  }
  const escalates = differences.some((difference) => difference.escalates);
  if (differences.length === 0 || (awaits && !escalates)) return;
  const message = `${words} is not as declared: ${differences.map(describeDifference).join("; ")}`;
  yield { rule: escalates ? "escalated" : "changed", message, ...about, differences, ...curedBy(token, "refresh") };
}

/** The finding for a declared token that the service does not list. It may stop listing an expired token. */
function describeAbsent(token: DeclaredToken, { places, baseUrl, now }: LiveAccount): Found {
  const { words, about } = introduce(token);
  if (!places.isHere(token)) {
    const doubt = `nothing proves that it belongs to the audited account at ${baseUrl}`;
    return { rule: "elsewhere", message: `${words} is declared, and ${doubt}: ${describeSettings(token)}`, ...about };
  }
  if (hasExpired(token, now)) {
    const message = `${words} is declared, expired on ${expiriesOf(token).at(-1)}, and the service no longer lists it`;
    return { rule: "expiry", message, ...about };
  }
  const message = `${words} is declared, but the service does not list it`;
  return { rule: "missing", message, ...about, ...curedBy(token, "refresh") };
}

/** The findings for tokens that several resources manage: one of them can revoke the token of the others. */
function* findShared({ ids, others }: Recorded, { live }: LiveAccount): Generator<Found> {
  for (const id of new Set([...ids.keys(), ...others.keys()])) {
    const ours = (ids.get(id) ?? []).filter((one) => one.awaits === undefined && one.unknownMembers === undefined);
    if (ours.length === 0 && !live.has(id)) continue;
    const foreign = others.get(id) ?? [];
    // While ours borrows the token, the other tool is its one owner.
    const owners = [...ours.filter((one) => foreign.length === 0 || !isBorrowed(one)), ...foreign];
    const [first, ...rest] = owners.map(({ declaration }) => declaration);
    if (first === undefined) continue;
    const name = live.get(id)?.name ?? ours.map(nameOf).find((one) => one !== undefined);
    const { words, token } = subjectOf({ id, name });
    if (rest.length > 0) {
      const urns = rest.map(({ stack, urn }) => `${urn} (${stack})`).join(", ");
      const message = `${words} (${id}) is also declared by ${urns}: each of these resources can revoke it`;
      yield { rule: "shared", message, token, declared: first, detail: urns };
    } else if (foreign[0] && live.has(id)) {
      const { type, declaration } = foreign[0];
      const until = ours.length > 0 ? ", and this package borrows it (adopt) until that resource is gone" : "";
      const message = `${words} (${id}) is managed by ${declaration.urn} (${type}, in ${declaration.source})${until}`;
      yield { rule: "foreign", message, token, declared: first, detail: type };
    }
  }
}
