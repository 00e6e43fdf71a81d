import type { Emulator } from "../../emulator";
import { EventDatasets, type Profile } from "../../sdk";
import { connect } from "../support/client";
import { startTemporaryEmulator } from "../support/deployment";
import { TestTime } from "../support/suite";
import { FaultProxy, requestMatcher, upstreamOf } from "./proxy";
import { type Fault, holdsRequests } from "./rows";

/** The local service in a profile, with a client that meets no fault. It does not wait before it retries: time stands still. */
export interface Side extends AsyncDisposable {
  readonly service: Emulator;
  readonly direct: EventDatasets;
}

export async function startSide(profile: Profile): Promise<Side> {
  const service = await startTemporaryEmulator({ profile });
  const direct = connect(service.url, { accessToken: service.rootToken, profile });
  const close = async () => {
    await direct.close();
    await service[Symbol.asyncDispose]();
  };
  return { service, direct, [Symbol.asyncDispose]: close };
}

/**
 * A client of the service behind a proxy.
 * @param line the requests that meet the fault, as "GET /v2/tokens/*"
 * @param answerOf the responses to queries, by the target of the request
 */
export async function meetFault(
  { service, direct: { profile } }: Side,
  { row, once }: Fault,
  line: string,
  answerOf: (target: string) => string,
) {
  const time = new TestTime();
  const behaviour = holdsRequests(row) ? time.hold(row.behaviour) : row.behaviour;
  const injected = { behaviour, meets: requestMatcher(line), times: once ? 1 : Number.POSITIVE_INFINITY };
  const proxy = await FaultProxy.start(upstreamOf(service.url, answerOf), injected);
  const client = new EventDatasets({
    baseUrl: proxy.url,
    accessToken: service.rootToken,
    profile,
    sleep: async () => undefined,
    watch: time.watch,
  });
  const close = async () => {
    await client.close();
    await proxy[Symbol.asyncDispose]();
  };
  return { proxy, client, time, [Symbol.asyncDispose]: close };
}
