import { asJson, isSame, pick } from "../../../framework/compare";
import { type Hints, secretsOfAll } from "../../../framework/identity";
import { type EventDatasets, orGone } from "../../../sdk";
import { parseDuration, shift } from "../../../values/duration";
import { toTheSecond } from "../../../values/instant";
import type { Plan, Session } from "../../shared/account/connection";
import { type ApiTokenInputs, type ApiTokenState, liveToken } from "./definition";
import { describeInstant } from "./expiry";
import { expiryOf } from "./rotation";

/** The program's decisions about the end of a token, in the last diff or in the state. `secretInputs` hides its expiry. */
export interface Word extends Partial<Pick<ApiTokenInputs, "adopt" | "retire" | "deleteOptions" | "secretInputs">> {
  /** Its expiry after an overlap, which begins when its successor is created. */
  readonly overlap?: string | undefined;
  /** Whether this overlap has begun. */
  readonly hasBegun?: true;
  /** Whether the diff announced no end: it plans a change in place, which `replaceOnChanges` can turn into a replacement. */
  readonly isSilent?: boolean;
}

/** The fate of a token that its resource no longer manages. */
export type Fate =
  | { readonly ends: "now" }
  | {
      readonly ends: "later";
      readonly because: keyof typeof reasons;
      /** Its expiry in this case; undefined if it has none, or if it is not known. */
      readonly until?: string | undefined;
    };

type Able = Pick<EventDatasets, "can">;

/**
 * The table of docs/guides/rotate.md: the first line that applies decides.
 * @param expiry of the token, if known
 */
export function fateOf(word: Word, expiry: string | undefined, able: Able): Fate {
  const until = word.overlap ?? expiry;
  if (word.adopt !== undefined) return { ends: "later", because: "adopt", until };
  if (word.overlap !== undefined) return { ends: "later", because: "overlap", until };
  if (word.deleteOptions?.includes("retainOnDelete")) return { ends: "later", because: "retainOnDelete", until };
  if (word.retire === "expire") return { ends: "later", because: "retire", until };
  return able.can("tokens.delete") ? { ends: "now" } : { ends: "later", because: "profile", until };
}

/** The decisions of a diff about its token, and about each token that this one replaced in an update that did not finish. */
export function planWords(
  id: string,
  state: ApiTokenState,
  inputs: ApiTokenInputs,
  plan: Pick<Plan, "now" | "can">,
): Readonly<Record<string, Word>> {
  const secrets = secretsOfAll(state, inputs);
  // An earlier token was owned, whatever holds for this one.
  const earlier = (state.record.replaced ?? []).map(({ id, ends }): [string, Word] => [
    id,
    {
      ...(ends === "later" && plan.can("tokens.delete") ? { retire: "expire" } : pick(inputs, ["retire"])),
      ...secrets,
    },
  ]);
  const overlap = inputs.adopt === undefined ? planOverlapEnd(state, inputs, plan.now(), plan) : undefined;
  // The engine obeys the option that the state records, and calls no hook then.
  const own = { ...pick(inputs, ["adopt", "retire"]), ...pick(state, ["deleteOptions"]), ...secrets, overlap };
  return Object.fromEntries([...earlier, [id, own]]);
}

/**
 * The expiry that `rotation.overlap` gives a token when its successor is created.
 * @returns undefined without an overlap, or if the token has expired or has no known secret
 */
export function planOverlapEnd(
  state: ApiTokenState,
  { rotation }: Pick<ApiTokenInputs, "rotation">,
  now: Date,
  able: Able,
): string | undefined {
  const duration = typeof rotation?.overlap === "string" ? parseDuration(rotation.overlap) : undefined;
  const own = expiryOf(state.expiresAt);
  if (!duration || state.incomplete !== undefined || !able.can("tokens.regenerate") || (own && own <= now))
    return undefined;
  const end = shift(now, duration, 1);
  // A second before its own expiry: a moved expiry is what shows later that the overlap began.
  return toTheSecond(own && own <= end ? shift(own, { months: 0, milliseconds: 1_000 }, -1) : end);
}

/**
 * Asks the service whether an overlap of a token has begun: then the token is kept in any case.
 * @param planned the words of a diff of this process about it
 * @returns the end of the overlap
 */
export async function findOverlap(
  session: Session,
  id: string,
  state: ApiTokenState,
  planned: Word | undefined,
): Promise<string | undefined> {
  const { account, client } = session;
  if (!client.can("tokens.regenerate")) return undefined;
  if (planned?.hasBegun) return planned.overlap;
  const isExpected = planned?.overlap !== undefined || state.rotation?.overlap !== undefined;
  // A diff that plans a revocation knows of no overlap; for any other end the reason is looked for.
  const isPossible = !isExpected && state.adopt === undefined && (!planned || planned.retire === "expire");
  // The first overlap of a token can have begun in another process. A list can show other values than a lookup.
  const listed = isPossible ? await account.list.findAtEnd(session) : undefined;
  // Without the capability for lists, a lookup fails too.
  const isUnseen = isPossible && !listed?.has(id) && account.list.problem !== "";
  if (!isExpected && !isUnseen && !isMoved(state, listed?.get(id)?.expiresAt)) return undefined;
  const until = (await orGone(client.tokens.get(id)))?.expiresAt;
  return isMoved(state, until) ? until : undefined;
}

/** Whether the expiry of a token is earlier than recorded: only an overlap does that (extended interface, "Tokens"). */
function isMoved(state: ApiTokenState, live: string | undefined): boolean {
  const hasDrifted = liveToken.read(state).drifted.includes("expiresAt");
  const before = expiryOf(hasDrifted ? liveToken.expect(state).expiresAt : state.expiresAt);
  const now = expiryOf(live);
  // A service may drop the fraction.
  return now !== undefined && (before === undefined || toTheSecond(now) < toTheSecond(before));
}

/** A fate in words. The engine deletes an old token at the end of an update, without a message of its own. */
export function describeFate(fate: Fate, ...values: Pick<Hints, "secretInputs">[]): string {
  if (fate.ends === "now") return "is revoked once nothing in this update needs it";
  const stays =
    fate.until === undefined
      ? "has no expiry and stays valid"
      : `stays valid until ${describeInstant(fate.until, ...values)}`;
  return `${stays} (${reasons[fate.because]})`;
}

const reasons = {
  adopt: "it is only borrowed while adopt is declared",
  retainOnDelete: "the option retainOnDelete",
  retire: 'retire is "expire"',
  profile: 'the profile "documented" cannot revoke a token',
  overlap: "rotation.overlap",
} as const;

/** How the options of a resource change a planned revocation. */
export function describeOptions(state: ApiTokenState, inputs: ApiTokenInputs, { seesOptions }: Plan): string {
  if (!seesOptions) return ", unless the option retainOnDelete or deletedWith keeps it";
  const isLinked = state.deleteOptions?.includes("deletedWith");
  const unless = isLinked ? ", unless the resource of the option deletedWith is deleted too: then it stays valid" : "";
  const isChanged = !isSame(asJson, state.deleteOptions, inputs.deleteOptions);
  return isChanged
    ? `${unless}. The options retainOnDelete and deletedWith take effect from the next update on, unless an update with --target or --exclude has already recorded them`
    : unless;
}
