import { isSecretInput, logicalNameOf } from "../../../framework/identity";
import type { PlannedChange } from "../../../framework/lifecycle";
import { hasUnknown } from "../../../framework/unknown";
import type { Token } from "../../../sdk";
import type { Session } from "../../shared/account/connection";
import type { ApiTokenInputs, ApiTokenState } from "./definition";
import { fateOf, type Word } from "./fate";
import { describeToken } from "./names";

/** A key of `datasetCapabilities` that is not the name of one dataset that a program can create (extended interface, "Datasets"). */
const isReserved = (name: string): boolean => name === "*" || name.startsWith("axiom-");

/**
 * Looks for datasets that a capability names and that do not exist, where datasets can be listed. One that a `Dataset` of this update
 * declares will exist.
 */
export async function findMissingDatasets(session: Session, inputs: ApiTokenInputs): Promise<readonly string[]> {
  const { account, client, declared } = session;
  const { datasetCapabilities = {} } = inputs;
  const named = hasUnknown(datasetCapabilities) ? [] : Object.keys(datasetCapabilities);
  if (!client.can("datasets.list") || named.every(isReserved)) return [];
  const listed = await account.datasets.find(session);
  const own = declared("Dataset").map(({ name }) => name);
  const missing = listed ? named.filter((name) => !isReserved(name) && !listed.has(name) && !own.includes(name)) : [];
  if (missing.length === 0) return [];
  const which = isSecretInput(inputs, "datasetCapabilities") ? "" : ` ${missing.join(", ")}`;
  return [
    `API token "${logicalNameOf(inputs.key)}": datasetCapabilities names ${missing.length === 1 ? "a dataset" : "datasets"} that the service does not list:${which}. Correct the name, or declare the Dataset before the token.`,
  ];
}

/** The account's tokens by id; undefined: they could not be listed. */
type Listed = ReadonlyMap<string, Token> | undefined;

/**
 * Looks a token of the state up before an update goes by it.
 * @returns a warning about a token that is not there, or whose account is not known
 * @throws Error for a replacement whose successor would be created in another account
 */
export async function verifyToken(
  session: Session,
  id: string,
  state: ApiTokenState,
  { replaces }: PlannedChange,
  listed: Listed,
): Promise<string | undefined> {
  const { account } = session;
  const token = describeToken(id, state);
  if (replaces.length > 0) account.noteRetired(id);
  if (listed?.has(id)) return undefined;
  const isOurs = await account.isOurs(session, id, state.evidence).catch(() => undefined);
  const unproven = `${token}: nothing shows whether the present access token is of its account, and it cannot list the tokens.`;
  if (isOurs === undefined) return account.list.problem || unproven;
  if (replaces.length > 0 && !isOurs) await account.requireOurs(session, id, state.evidence, token);
  if (!listed) return account.list.problem;
  if (replaces.length > 0) return undefined;
  if (!isOurs) return `${token} was not found with the present access token, which may be of another account.`;
  // A list can be late: only a second answer counts, and none about a token that the service may not show yet.
  if (account.isYoung(session, state.evidence) || !(await account.isMissing(id))) return undefined;
  return `${token} is in the state but no longer exists. To create it again, run "pulumi refresh" and then "pulumi up".`;
}

/**
 * Announces the end of each token that this one replaced in an update that did not finish: the engine deletes it at the end of this
 * one, also if nothing else changes. The provider sees neither targets nor consumers that failed.
 */
export function announceEnds(
  { account, client, seesOptions, ...session }: Session,
  id: string,
  state: ApiTokenState,
  { plans = {} }: PlannedChange<Word>,
  listed: Listed,
): string[] {
  // Neither form sees what the engine did with deletedWith.
  const isSure = seesOptions && !state.deleteOptions?.includes("deletedWith");
  const isSettled = !account.isYoung(session, state.evidence);
  return (state.record.replaced ?? []).flatMap(({ id: earlier }) => {
    const isEnding = fateOf(plans[earlier] ?? {}, undefined, client).ends === "now";
    const isGone = account.isRetired(earlier) || (listed !== undefined && !listed.has(earlier) && isSettled);
    if (!isEnding || isGone) return [];
    const is = listed?.has(earlier) ? "is still valid" : "may still be valid";
    const revokes = isSure ? "This update revokes it" : "If its deletion is pending, this update revokes it";
    return [
      `API token ${earlier}, which ${describeToken(id, state)} replaced in an update that did not finish, ${is}. ${revokes}: a consumer that failed then, or that --target or --exclude leaves out, loses its secret. To keep the token, declare retire: "expire" first.`,
    ];
  });
}
