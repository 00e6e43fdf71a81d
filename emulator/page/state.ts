import type { ObjectsResponse, RecentRequest } from "../pageResponses";
import type { Session } from "./session";

/** The data of the views. A new object after every change. */
export interface State {
  readonly objects: ObjectsResponse;
  /** In the order of arrival. */
  readonly requests: readonly RecentRequest[];
}

const mostKept = 500;

export async function loadState(session: Session): Promise<State> {
  const [objects, { requests }] = await Promise.all([session.objects(), session.requests(0)]);
  return { objects, requests };
}

/** Returns the same object if nothing has changed. */
export async function updateState(session: Session, state: State): Promise<State> {
  // From the first unfinished request on, because its outcome is new.
  const open = state.requests.find(({ milliseconds }) => milliseconds === undefined);
  const after = open ? open.number - 1 : (state.requests.at(-1)?.number ?? 0);
  const response = await session.requests(after);
  // After a restart the requests count from 1 again.
  if (startOf(response.revision) !== startOf(state.objects.revision)) return loadState(session);
  const objects = response.revision === state.objects.revision ? state.objects : await session.objects();
  const isSame =
    JSON.stringify(response.requests) === JSON.stringify(state.requests.filter(({ number }) => number > after));
  if (isSame && objects === state.objects) return state;
  const requests = [...state.requests.filter(({ number }) => number <= after), ...response.requests].slice(-mostKept);
  return { objects, requests };
}

const startOf = (revision: string): string => revision.slice(0, revision.lastIndexOf("-"));
