import type { Policy } from "../../audit";
import { describeUpdate } from "../../audit/declared";
import { exceptionsAbout } from "../../audit/exceptions";
import { tiesOf } from "../../audit/holders";
import { capabilitiesInWords, describeTokenExpiry, withExpiry } from "../../audit/liveToken";
import type { Token } from "../../sdk";
import type { Io } from "../command";
import { count, type Line, say } from "../text";
import type { Claims } from "./claims";

/** Everything that is known about the tokens of an account. */
export interface Evidence {
  readonly live: readonly Token[];
  readonly claims: Claims;
  readonly policy: Policy;
  /**
   * The environment of this process. It shows whether the engine may have been told to write no checkpoints during updates: a
   * state then proves nothing.
   */
  readonly env: Io["env"];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Whether a token can be revoked: never; yes, because nobody has its secret; or doubtful, with at least one reason. */
export interface Verdict {
  readonly is: "refused" | "proven" | "doubtful";
  readonly reasons: readonly Line[];
}

/** A token with its verdict. */
export interface Judged {
  readonly token: Token;
  readonly verdict: Verdict;
}

const words: Readonly<Record<Verdict["is"], Line>> = {
  refused: say`is not revoked, even with --force`,
  proven: say`can be revoked`,
  doubtful: say`may be in use, so it needs --force`,
};

/** A token with its capabilities, and the verdict with its reasons. */
export function* describeJudged({ token, verdict: { is, reasons } }: Judged): Generator<Line> {
  const valid = describeTokenExpiry(withExpiry(token));
  yield say`${token.id}  "${token.name}" ${valid}: ${capabilitiesInWords(token).join(", ") || "no capabilities"}`;
  yield say`  ${words[is]}:`;
  for (const reason of reasons) yield say`  - ${reason}`;
}

/** Judges a live token. Only an unfinished create that left it behind proves that nobody has its secret. */
export function judge(token: Token, evidence: Evidence): Verdict {
  const { claims } = evidence;
  const ties = [...tiesOf(token.id, claims)];
  const owners = ties.filter(({ is }) => is === "owned").map(({ words, advice }) => say`${words}: ${advice ?? ""}`);
  if (owners.length + claims.missed.length > 0) return { is: "refused", reasons: [...owners, ...claims.missed] };
  const uses = [...describeExceptions(token, evidence), ...ties.map(({ words }) => say`${words}`)];
  const unproven = findFlaw(token, evidence);
  if (uses.length === 0 && unproven === undefined)
    return { is: "proven", reasons: [say`its create never finished, so nobody has its secret`] };
  const access = describeAccess(token);
  const unread = claims.doubts.map((doubt) => say`it may be declared by a stack that was not read: ${doubt}`);
  return { is: "doubtful", reasons: [...uses, ...access, ...(unproven === undefined ? [] : [unproven]), ...unread] };
}

const describeExceptions = (token: Token, { claims: recorded, policy, now }: Evidence): Line[] =>
  exceptionsAbout(withExpiry(token), { policy, now, recorded }).map(
    ({ owner, reason, until }) => say`the policy accepts it: exception of ${owner} (${reason}) until ${until}`,
  );

/** Whether a token may manage tokens, so that it can be the access token of a program or a pipeline. */
function describeAccess(token: Token): Line[] {
  if (token.odd !== undefined) return [say`it may be an access token: some of its fields cannot be read`];
  const held = capabilitiesInWords(token).filter((words) => words.startsWith("apiTokens:"));
  return held.length === 0 ? [] : [say`it may be the access token of a program: it has ${held.join(", ")}`];
}

/** Why no create proves that nobody has the secret of a token; undefined: one does. */
function findFlaw({ name }: Token, { live, claims, env, now }: Evidence): Line | undefined {
  const creates = claims.pendingNames.get(name) ?? [];
  const chosen = creates.find(({ isNameOwn }) => !isNameOwn);
  if (creates.length === 0 || chosen)
    return say`it may have been created by a stack in another backend, by another tool or by a person`;
  const running = creates.find(({ update }) => typeof update === "object");
  if (typeof running?.update === "object")
    return say`stack ${running.declaration.stack}, which has an unfinished create of a token with this name, ${describeUpdate(running.update, now)}`;
  const unknown = creates.find(({ update }) => update === undefined);
  if (unknown)
    return say`stack ${unknown.declaration.stack}, which has an unfinished create of a token with this name, may be in the middle of an update: ${unknown.declaration.source} does not show this`;
  if (/^(1|true)$/i.test(env.PULUMI_SKIP_CHECKPOINTS ?? ""))
    return say`PULUMI_SKIP_CHECKPOINTS is set, so a pending create proves nothing`;
  const same = live.filter((one) => one.name === name).length;
  return same === 1
    ? undefined
    : say`${count(same, "live token")} have its name, and only one of them comes from the create`;
}
