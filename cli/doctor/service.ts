import { type EventDatasets, isApiError, isStatus } from "../../sdk";
import { clockTolerance } from "../../values/instant";
import type { Io } from "../command";
import { connect } from "../connection";
import { count } from "../counts";
import { type Check, fail, missAnswer, pass, skip } from "./check";
import { type Uses, users } from "./project";

/** Checks the service with the access token, and its clock. */
export async function checkService(io: Io, uses: Uses): Promise<Check[]> {
  let client: EventDatasets;
  try {
    client = connect(io);
  } catch (failure) {
    return [fail((failure as Error).message)];
  }
  await using _ = client;
  return [
    await checkTokens(client, uses),
    await checkQueries(client, uses),
    await checkAnnotations(client, uses),
    checkClock(client),
  ];
}

async function checkTokens(client: EventDatasets, uses: Uses): Promise<Check> {
  try {
    const { length, odd } = await client.tokens.list();
    const rest = odd.length > 0 ? `, ${odd.length} of them not as documented` : "";
    return pass(`${client.baseUrl} answers, and the access token may list tokens: ${count(length, "token")}${rest}`);
  } catch (failure) {
    return isStatus(failure, 403) ? describeLack(failure, "tokens", uses) : describeFailure(failure);
  }
}

/** Sends a query that reads no dataset: only its response shows whether the service takes the requests of this profile. */
async function checkQueries(client: EventDatasets, uses: Uses): Promise<Check> {
  const now = Date.now();
  try {
    await client.queries.apl({ apl: "print 1", startTime: new Date(now - 60_000), endTime: new Date(now) });
    return pass(`a query works with the profile ${client.profile}`);
  } catch (failure) {
    const check = describeFailure(failure);
    const isSetting = check.state !== "problem" || (isApiError(failure) && failure.mayBeProfile);
    if (isSetting) return check;
    // The settings are fine if the service does not take this query.
    return describeLack(failure, "queries", isStatus(failure, 403) ? uses : {});
  }
}

/** The documented interface cannot tell the capabilities of an access token. Listing is the only check without an effect. */
async function checkAnnotations(client: EventDatasets, uses: Uses): Promise<Check> {
  const rest = "other capabilities were not checked: checking them would change something";
  if (!client.can("annotations.list")) return skip(rest);
  try {
    const { length } = await client.annotations.list();
    return pass(`the access token may list annotations: ${count(length, "annotation")}; ${rest}`);
  } catch (failure) {
    return isStatus(failure, 403) ? describeLack(failure, "annotations", uses) : describeFailure(failure);
  }
}

/** A capability that the access token lacks. An access token for one purpose, such as annotate, lacks all others on purpose. */
function describeLack(failure: unknown, key: keyof typeof users, uses: Uses): Check {
  const text = `${(failure as Error).message}. It is needed for ${users[key].names}`;
  return uses[key] === undefined
    ? skip(`${text}, but not for this folder`)
    : fail(`${text}, and this folder uses ${uses[key]}`);
}

/** A refusal tells what is wrong; without a response nothing is known. */
function describeFailure(failure: unknown): Check {
  if (!isApiError(failure)) throw failure;
  return failure.status !== undefined && failure.status < 500 ? fail(failure.message) : missAnswer(failure.message);
}

function checkClock({ clock }: EventDatasets): Check {
  const offset = clock.offset();
  if (offset === undefined) return skip("clock: the service's responses do not show its time");
  const seconds = Math.round(Math.abs(offset) / 1000);
  // The header of a response has whole seconds.
  if (Math.abs(offset) <= clockTolerance) return pass(`clock: within ${Math.max(2, seconds)} s of the service's`);
  const direction = offset < 0 ? "ahead of" : "behind";
  return fail(`clock: ${seconds} s ${direction} the service's: expiries that this machine computes are off by as much`);
}
