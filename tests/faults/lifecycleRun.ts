import type { Emulator } from "../../emulator";
import { EventDatasets, type Profile } from "../../sdk";
import { connect } from "../support/client";
import { startTemporaryEmulator } from "../support/deployment";
import { oneValueAnswer } from "../support/queryAnswers";
import { sessionOf } from "../support/session";
import { TestTime } from "../support/time";
import type { LifecycleCell } from "./lifecycleMatrix";
import { FaultProxy, upstreamOf } from "./proxy";
import { requestMatcher } from "./requestMatcher";
import { holdsRequests } from "./rows";

/** The local service in a profile. */
interface Side {
  readonly service: Emulator;
  /** Bypasses the fault. Does not wait before it retries, because time stands still. */
  readonly direct: EventDatasets;
}

/** The local service in both profiles. */
export interface Sides extends AsyncDisposable {
  readonly of: Readonly<Record<Profile, Side>>;
}

async function startSide(profile: Profile): Promise<Side> {
  const service = await startTemporaryEmulator({ profile });
  const direct = connect(service.url, { accessToken: service.rootToken, profile });
  return { service, direct };
}

export async function startSides(): Promise<Sides> {
  const of = { documented: await startSide("documented"), extended: await startSide("extended") };
  return {
    of,
    async [Symbol.asyncDispose]() {
      for (const { service, direct } of Object.values(of)) {
        await direct.close();
        await service[Symbol.asyncDispose]();
      }
    },
  };
}

export async function runLifecycleCell({ of }: Sides, { row, once, operation }: LifecycleCell) {
  const { service, direct } = of[operation.profile];
  const meets = requestMatcher(operation.request);
  const time = new TestTime();
  const behaviour = holdsRequests(row) ? time.hold(row.behaviour) : row.behaviour;
  const injected = { behaviour, meets, times: once ? 1 : Number.POSITIVE_INFINITY };
  await using proxy = await FaultProxy.start(
    upstreamOf(service.url, () => oneValueAnswer(1)),
    injected,
  );
  await using client = new EventDatasets({
    accessToken: service.rootToken,
    profile: operation.profile,
    baseUrl: proxy.url,
    sleep: async () => undefined,
    watch: time.watch,
  });
  const how = await time.passDuring(operation.run(sessionOf(client), direct));
  const [method = ""] = operation.request.split(" ");
  return {
    how,
    requests: proxy.calls.filter((call) => meets(method, call.slice(method.length + 1)) && call.startsWith(method))
      .length,
    left: proxy.carriedOut.filter((call) => /^POST \/v2\/\w+ 20/.test(call)).length,
  };
}
