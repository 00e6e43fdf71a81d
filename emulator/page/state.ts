import type { ObjectsResponse, StateResponse } from "../pageResponses";
import type { Session } from "./session";

/** The data of the views. It is a new object after every change. */
export interface State extends StateResponse {
  readonly objects: ObjectsResponse;
}

/** Resolves to the newest data, or to the same object as before if nothing has changed. */
export async function loadState(session: Session, before?: State): Promise<State> {
  const sent = await session.state(before?.objects.revision);
  const isSame = !sent.objects && JSON.stringify(sent.requests) === JSON.stringify(before?.requests);
  return isSame && before ? before : ({ ...before, ...sent } as State);
}
