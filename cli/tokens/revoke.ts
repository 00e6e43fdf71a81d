import { isDeepStrictEqual } from "node:util";
import { capabilitiesInWords } from "../../audit/liveToken";
import { type EventDatasets, environmentNames, isStatus, orGone, type Token } from "../../sdk";
import type { Command, Io, Values } from "../command";
import { connect } from "../connection";
import { policyFileOf, policyIn } from "../policy";
import { count, say } from "../text";
import { type Claims, readClaims } from "./claims";
import { pickLive, warnOfOddEntries } from "./list";
import { describeJudged, type Evidence, type Judged, judge } from "./verdict";

/**
 * Revokes tokens that nobody uses, after confirmation.
 * @throws Error if nothing, or not everything, was revoked
 */
export const revokeTokens: Command<"tokens revoke"> = {
  async run(values, io) {
    const ids = values.id;
    if (ids.length === 0) throw new Error("name the tokens to revoke: give --id");
    const policy = policyIn(await policyFileOf(values.policy, io.env));
    await using client = connect(io);
    if (!client.can("tokens.delete"))
      throw new Error(
        `the profile "documented" cannot revoke a token: set ${environmentNames.profile}=extended if the service can`,
      );
    const { claims, readAgain } = await readClaims(values, io, policy);
    const known = { policy, env: io.env, now: Date.now() };
    const live = await client.tokens.list();
    warnOfOddEntries(live, io);
    const first = judgeAll(ids, { ...known, claims, live }, client);
    const isDryRun = values["dry-run"];
    for (const one of first) for (const line of describeJudged(one)) (isDryRun ? io.print : io.warn)(line);
    if (isDryRun) return first.every(({ verdict }) => verdict.is === "proven") ? 0 : 1;
    refuse(first, values.force);
    await confirm(values, first.length, client, io);
    const again = await readAgain();
    refuseUnseen(claims, again);
    refuseChanged(first, judgeAll(ids, { ...known, claims: again, live: await client.tokens.list() }, client));
    await revokeEach(client, first, io);
    return 0;
  },
};

const judgeAll = (ids: readonly string[], evidence: Evidence, client: EventDatasets): Judged[] =>
  pickLive(evidence.live, ids, client.baseUrl).map((token) => ({ token, verdict: judge(token, evidence) }));

/**
 * @throws Error for a token that a state declares, or if the policy requires more to be read. Without `--force`, also for a token
 *   that may be in use
 */
export function refuse(wanted: readonly Judged[], force: boolean): void {
  const refused = wanted.filter(({ verdict }) => verdict.is === "refused");
  if (refused.length > 0)
    throw new Error(
      `nothing was revoked: ${refused.map(({ token, verdict }) => `${token.id}: ${verdict.reasons.join("; ")}`).join("; ")}`,
    );
  const doubtful = wanted.filter(({ verdict }) => verdict.is === "doubtful");
  if (doubtful.length === 0 || force) return;
  const them = doubtful.length === 1 ? "it" : "them";
  throw new Error(
    `nothing was revoked: ${count(doubtful.length, "token")} may be in use. Give --force to revoke ${them} too`,
  );
}

/**
 * Compares the facts that were shown with the current ones.
 * @throws Error if a token, or anything that is known about it, has changed
 */
export function refuseChanged(shown: readonly Judged[], now: readonly Judged[]): void {
  const changed = shown.filter((one, at) => !isDeepStrictEqual(one, now[at])).map(({ token }) => token.id);
  if (changed.length === 0) return;
  throw new Error(`nothing was revoked: ${changed.join(", ")} changed before you confirmed: run the command again`);
}

/**
 * A stack that was read before the question, and cannot be read now, may have taken a token over meanwhile.
 * @throws Error that names it
 */
function refuseUnseen(shown: Claims, now: Claims): void {
  const unseen = now.doubts.filter((doubt) => !shown.doubts.includes(doubt));
  if (unseen.length === 0) return;
  throw new Error(
    `nothing was revoked: these stacks could be read before you confirmed, but not afterwards: ${unseen.join("; ")}`,
  );
}

/** @throws Error unless the user confirms */
async function confirm(
  values: Values<"tokens revoke">,
  many: number,
  { baseUrl }: EventDatasets,
  io: Io,
): Promise<void> {
  if (values.yes) return;
  if (!io.ask) throw new Error("nothing was revoked: there is no terminal to ask for confirmation; give --yes");
  const answer = await io.ask(say`Permanently revoke ${count(many, "token")} of ${baseUrl}? Type yes: `);
  if (answer.trim() !== "yes") throw new Error("nothing was revoked");
}

/** Whether a token can be the access token in use, which must be able to revoke tokens. Nothing shows which token it is. */
const mayBeInUse = (token: Token): boolean =>
  token.odd !== undefined || capabilitiesInWords(token).includes("apiTokens:delete");

/** The time, in milliseconds, for which the stacks count as read. */
const freshness = 5 * 60_000;

/**
 * Revokes the tokens one after the other, and continues after a failure other than 401. Tokens that may be the access token
 * in use come last.
 * @param elapsed a clock, in milliseconds
 * @throws Error if not every token was revoked
 */
export async function revokeEach(
  client: EventDatasets,
  wanted: readonly Pick<Judged, "token">[],
  io: Pick<Io, "print" | "warn">,
  elapsed: () => number = () => performance.now(),
): Promise<void> {
  const ordered = wanted.map(({ token }) => token).sort((a, b) => Number(mayBeInUse(a)) - Number(mayBeInUse(b)));
  const stop = (why: string, at: number) => {
    const left = ordered.slice(at).map(({ id }) => id);
    return new Error(`stopped: ${why}. Not revoked: ${left.join(", ")}`);
  };
  const begun = elapsed();
  let failures = 0;
  for (const [at, { id }] of ordered.entries()) {
    if (elapsed() - begun > freshness)
      throw stop("the stacks were read more than five minutes ago, so run the command again", at);
    try {
      await orGone(client.tokens.delete(id));
      io.print(say`revoked ${id}`);
    } catch (e) {
      io.warn(say`${id} may not have been revoked: ${(e as Error).message}`);
      // Every further request would fail, too.
      if (isStatus(e, 401)) throw stop("the access token is not valid any more", at);
      failures += 1;
    }
  }
  if (failures > 0) throw new Error(`${failures} of ${count(wanted.length, "token")} may not have been revoked`);
}
