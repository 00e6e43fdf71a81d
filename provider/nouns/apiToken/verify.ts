import { isSecretInput, logicalNameOf } from "../../../framework/identity";
import type { Compared } from "../../../framework/lifecycle";
import { hasUnknown } from "../../../framework/unknown";
import type { Token } from "../../../sdk";
import type { Session } from "../../shared/account/connection";
import { findDoubt } from "../../shared/account/presence";
import { isReserved } from "../dataset/definition";
import type { ApiTokenInputs, ApiTokenState } from "./definition";
import { fateOf, type Word } from "./fate";
import { describeToken } from "./names";

/** Warnings about a new token, or about a token in the state and the tokens that it replaced, before an update relies on it. */
export async function verifyToken(
  session: Session,
  inputs: ApiTokenInputs,
  compared?: Compared<ApiTokenState, Word>,
): Promise<readonly string[]> {
  const { account } = session;
  const missing = await findMissingDatasets(session, inputs);
  if (!compared) return account.list.problem === "" ? [...missing, unlisted] : missing;
  const { id, state, change } = compared;
  const { list } = account;
  const isReplaced = change.replaces.length > 0;
  const object = describeToken(id, state);
  const doubt = await findDoubt(session, { id, evidence: state.evidence, object, list, isReplaced });
  const ends = announceEnds(session, compared, await list.find(session));
  const told = [doubt, session.clocks.describe(session), ...ends];
  return [...missing, ...told.flatMap((words) => words || [])];
}

const unlisted =
  "the access token cannot list API tokens: it lacks the capability apiTokens: read. If it lacks create too, the update fails; and a token whose create gets no response cannot be found again.";

/**
 * Looks for datasets that a capability names and that do not exist, where datasets can be listed. One that a `Dataset` declares which
 * this update has checked will exist; a `Dataset` can also come later.
 */
async function findMissingDatasets(session: Session, inputs: ApiTokenInputs): Promise<readonly string[]> {
  const { client, datasets, declared } = session;
  const { datasetCapabilities = {} } = inputs;
  const named = hasUnknown(datasetCapabilities) ? [] : Object.keys(datasetCapabilities);
  if (!client.can("datasets.list") || named.every(isReserved)) return [];
  const listed = await datasets.find(session);
  const own = declared("Dataset").map(({ name }) => name);
  const missing = named.filter((name) => !isReserved(name) && listed?.has(name) === false && !own.includes(name));
  if (missing.length === 0) return [];
  const which = isSecretInput(inputs, "datasetCapabilities") ? "" : ` ${missing.join(", ")}`;
  return [
    `API token "${logicalNameOf(inputs.key)}": datasetCapabilities names ${missing.length === 1 ? "a dataset" : "datasets"} that the service does not list:${which}. If a Dataset of this program creates such a dataset, name that Dataset in the token's option dependsOn; otherwise create the dataset, or correct the name.`,
  ];
}

/**
 * Announces the end of each token that this one replaced in an update that did not finish: the engine deletes it at the end of this
 * one, also if nothing else changes. The provider sees neither targets nor consumers that failed.
 */
function announceEnds(
  { account, client, isEnding, seesOptions }: Session,
  { id, state, change: { plans = {} } }: Compared<ApiTokenState, Word>,
  listed: ReadonlyMap<string, Token> | undefined,
): string[] {
  // Neither form sees what the engine did with deletedWith.
  const isSure = seesOptions && !state.deleteOptions?.includes("deletedWith");
  return (state.record.replaced ?? []).flatMap(({ id: earlier }) => {
    const isRevoked = fateOf(plans[earlier] ?? {}, undefined, client).ends === "now";
    // A list that shows the successor would show an older token too.
    const isGone = isEnding(earlier) || (listed?.has(id) && !account.list.mayHave(earlier));
    if (!isRevoked || isGone) return [];
    const is = listed?.has(earlier) ? "is still valid" : "may still be valid";
    const revokes = isSure ? "This update revokes it" : "If its deletion is pending, this update revokes it";
    return [
      `API token ${earlier}, which ${describeToken(id, state)} replaced in an update that did not finish, ${is}. ${revokes}: a consumer that failed then, or that --target or --exclude leaves out, loses its secret. To keep the token, declare retire: "expire" first.`,
    ];
  });
}
