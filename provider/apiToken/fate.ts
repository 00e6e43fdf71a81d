import { type Hints, secretsOfAll } from "../../framework/identity";
import type { EventDatasets } from "../../sdk";
import { parseDuration, shift } from "../../values/duration";
import { toTheSecond } from "../../values/instant";
import type { Plan } from "../account/connection";
import { type ApiTokenInputs, type ApiTokenState, liveToken, type ReplacedToken } from "./definition";
import { describeInstant } from "./expiry";
import { expiryOf } from "./rotation";

/**
 * The end of a token that its resource gives up, with the secrets that its expiry can derive from. It is decided once:
 * docs/guides/rotate.md has the rules as a table.
 */
export type Fate =
  | { readonly ends: "now" }
  | (Pick<Hints, "secretInputs"> & {
      readonly ends: "later";
      /** `adopt`: it is only borrowed. `profile`: it cannot revoke a token. */
      readonly because: "adopt" | "retire" | "profile" | "overlap";
      /** Its expiry then; undefined: it has none, or it is not known. */
      readonly until?: string | undefined;
      /** The fate without the overlap, which does not begin with deleteBeforeReplace. */
      readonly otherwise?: Fate;
    });

type Able = Pick<EventDatasets, "can">;

/**
 * The fate of a token by one word: that of the program, or that of the token's own record.
 * @param until its expiry
 */
export function decideFate(
  { adopt, retire }: Pick<ApiTokenInputs, "adopt" | "retire">,
  until: string | undefined,
  able: Able,
): Fate {
  if (adopt !== undefined) return { ends: "later", because: "adopt", until };
  if (retire === "expire") return { ends: "later", because: "retire", until };
  return able.can("tokens.delete") ? { ends: "now" } : { ends: "later", because: "profile", until };
}

/** The fates that a diff plans: of its own token, and of those that it replaced in an update that was interrupted. */
export function planFates(
  id: string,
  state: ApiTokenState,
  inputs: ApiTokenInputs,
  plan: Pick<Plan, "now" | "can">,
): Readonly<Record<string, Fate>> {
  const until = inputs.adopt === undefined ? findOverlapEnd(state, inputs, plan.now(), plan) : undefined;
  const otherwise = decideFate(inputs, state.expiresAt, plan);
  const own: Fate = until === undefined ? otherwise : { ends: "later", because: "overlap", until, otherwise };
  // An earlier token was owned, whatever holds for this one.
  const word = decideFate({ retire: inputs.retire } as Pick<ApiTokenInputs, "retire">, undefined, plan);
  const planEarlier = ({ ends }: ReplacedToken): Fate =>
    ends === "later" && word.ends === "now" ? { ends, because: "retire" } : word;
  const plans = [
    ...(state.record.replaced ?? []).map((one) => [one.id, planEarlier(one)] as const),
    [id, own] as const,
  ];
  const secrets = secretsOfAll(state, inputs);
  return Object.fromEntries(plans.map(([of, fate]) => [of, fate.ends === "now" ? fate : { ...fate, ...secrets }]));
}

/**
 * The expiry that `rotation.overlap` gives a token when its successor is created.
 * @returns undefined without an overlap, or if the token has expired or has no known secret
 */
export function findOverlapEnd(
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

/** Whether an overlap began: only that makes the expiry of a token earlier (extended interface, "Tokens"). */
export function hasOverlapBegun(state: ApiTokenState, live: string | undefined): boolean {
  const isMoved = liveToken.read(state).drifted.includes("expiresAt");
  const before = expiryOf(isMoved ? liveToken.expect(state).expiresAt : state.expiresAt);
  const now = expiryOf(live);
  // A service may drop the fraction.
  return now !== undefined && (before === undefined || toTheSecond(now) < toTheSecond(before));
}

/** A fate in words, for the preview and for the deletion: true also if the engine keeps the token (`retainOnDelete`). */
export function describeFate(fate: Fate, recorded: Pick<Hints, "secretInputs"> = {}): string {
  if (fate.ends === "now") return "is revoked once nothing in this update needs it";
  const stays =
    fate.until === undefined
      ? "has no expiry and stays valid"
      : `stays valid until ${describeInstant(fate.until, fate, recorded)}`;
  return `${stays} (${reasons[fate.because]})`;
}

const reasons = {
  adopt: "it is only borrowed while adopt is declared",
  retire: 'retire is "expire"',
  profile:
    'the documented interface cannot revoke a token; on Axiom set event-datasets:profile, EVENT_DATASETS_PROFILE, to "extended"',
  overlap: "rotation.overlap",
} as const;
