import { orGone } from "../../../sdk";
import { scalar } from "../../../sdk/queries/rows";
import type { Session } from "../../shared/account/connection";
import type { DatasetInputs, DatasetState } from "./definition";
import { describeDataset, requireSame } from "./identity";

type Retention = Pick<DatasetInputs, "retentionDays">;

/** Whether the service may delete events: retention that begins, ends or becomes shorter. The retention of the plan is not known. */
const isShorter = ({ retentionDays: before }: Retention, { retentionDays: after }: Retention): boolean =>
  before !== after && (before === undefined || after === undefined || after < before);

/** The decisions of the program, or of the state, about the end of a dataset. */
export type Word = Pick<DatasetInputs, "adopt" | "deleteEvents">;

/**
 * Whether events may be deleted.
 * @param declared the word of the program in this update; without one, as for a removal, only the record says it
 */
const mayDelete = (recorded: Word, declared: Word = recorded): boolean =>
  Boolean(recorded.deleteEvents && declared.deleteEvents && !recorded.adopt && !declared.adopt);

/**
 * Refuses a retention period that can delete events, unless both the state and the program say that they may be deleted.
 * @param before the dataset as it is recorded, or live
 * @throws Error with the way to allow it
 */
export function requireRetention(id: string, state: DatasetState, before: Retention, after: DatasetInputs): void {
  if (mayDelete(state, after) || !isShorter(before, after)) return;
  const show = ({ retentionDays }: Retention) =>
    retentionDays === undefined ? "that of the plan" : `${retentionDays} days`;
  throw new Error(
    `${describeDataset(id)} keeps its retention: a change from ${show(before)} to ${show(after)} can delete events. To allow that, declare deleteEvents: true and run "pulumi up"; then change retentionDays, and leave deleteEvents declared.`,
  );
}

/**
 * Refuses to replace a dataset that keeps the name which the new one needs.
 * @throws Error with the two ways out
 */
export function requireOtherName(
  id: string,
  state: DatasetState,
  inputs: DatasetInputs,
  replaces: readonly string[],
): void {
  // A proposed name is proposed anew for a replacement.
  const isChosen = (inputs.chosenName ?? state.chosenName) === true;
  if (mayDelete(state, inputs) || replaces.length === 0 || !isChosen || inputs.name !== id) return;
  throw new Error(`${describeDataset(id)} cannot be replaced (${replaces.join(", ")} changed): ${waysOut}`);
}

/** How to replace a dataset whose name was chosen. */
export const waysOut =
  'a dataset keeps its name and its events, and the new one needs the same name. Either declare another name; or declare deleteEvents: true, run "pulumi up", and then make the change with the option deleteBeforeReplace, which deletes the events.';

/** The end of a dataset that its resource no longer manages. */
export function describeEnd(recorded: Word, declared?: Word): string {
  if (mayDelete(recorded, declared)) return "is deleted with its events (deleteEvents)";
  return `stays with its events${recorded.adopt || declared?.adopt ? ": it was only borrowed" : ""}`;
}

/**
 * Leaves a dataset as it is, or deletes it with its events if the state allows this, and so does the diff, if there was one.
 * @param planned the word of a diff; also about a deletion that is pending from an interrupted update
 * @throws Error if it is another dataset of the same name, or if it may be in another account
 */
export async function endDataset(session: Session, id: string, state: DatasetState, planned?: Word): Promise<void> {
  const { account, client } = session;
  const words = describeDataset(id);
  if (!mayDelete(state, planned))
    return await session.warn(
      `${words} is no longer managed here, but it ${describeEnd(state, planned)}. To manage it again, declare its name with adopt: true.`,
    );
  const live = await orGone(client.datasets.get(id));
  if (live) requireSame(session, id, state, live);
  const events = live && (await countEvents(session, id));
  const isDeleted = live && (await orGone(client.datasets.delete(id).then(() => true)));
  if (!isDeleted) return await account.confirmGone(session, id, state.evidence, words, session.datasets);
  await session.inform(`${words} was deleted${events === undefined ? "" : `: it had ${events} events`}.`);
}

/** How long a count may take, in milliseconds. */
const countTime = 10_000;

/** The number of events, if one query can tell. It decides nothing. */
async function countEvents({ client, timeout }: Session, id: string): Promise<string | undefined> {
  const counted = client.queries.apl({ apl: `['${id}'] | summarize count()` }, { signal: timeout(countTime) });
  return await counted.then((result) => String(scalar(result))).catch(() => undefined);
}
