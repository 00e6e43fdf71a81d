import type { Emulator } from "../../emulator";
import { EventDatasets, type Profile } from "../../sdk";
import { startTemporaryEmulator } from "../support/deployment";
import type { Form } from "../support/forms";
import { oneValueAnswer } from "../support/gateAnswers";
import { sessionOf } from "../support/session";
import { deadlines } from "./deadlines";
import type { LifecycleCell } from "./lifecycleMatrix";
import { FaultProxy, forwardTo, type Upstream } from "./proxy";
import { requestMatcher } from "./requestMatcher";
import { lifecycles, openPlugin } from "./resources";

/** The local service in both profiles. */
export interface Sides extends AsyncDisposable {
  readonly services: Readonly<Record<Profile, Emulator>>;
}

export async function startSides(): Promise<Sides> {
  const [documented, extended] = [
    await startTemporaryEmulator({ profile: "documented" }),
    await startTemporaryEmulator({ profile: "extended" }),
  ];
  return {
    services: { documented, extended },
    async [Symbol.asyncDispose]() {
      await documented[Symbol.asyncDispose]();
      await extended[Symbol.asyncDispose]();
    },
  };
}

/** The service; a query finds one value without its query engine. */
function upstreamOf(service: Emulator): Upstream {
  const forward = forwardTo(service.url);
  return async (request) =>
    request.target.startsWith("/v1/datasets/")
      ? { status: 200, headers: { "content-type": "application/json" }, body: Buffer.from(oneValueAnswer(1)) }
      : forward(request);
}

export async function runLifecycleCell({ services }: Sides, { row, once, operation }: LifecycleCell, form: Form) {
  const service = services[operation.profile];
  const meets = requestMatcher(operation.request);
  const injected = { behaviour: row.behaviour, meets, times: once ? 1 : Number.POSITIVE_INFINITY };
  await using proxy = await FaultProxy.start(upstreamOf(service), injected);
  const settings = { accessToken: service.rootToken, profile: operation.profile };
  await using direct = new EventDatasets({ ...settings, baseUrl: service.url });
  const limit = row.effect === "silent" || row.effect === "late" ? deadlines[row.effect] : undefined;
  await using client = new EventDatasets({
    ...settings,
    baseUrl: proxy.url,
    sleep: async () => undefined,
    ...(limit === undefined ? {} : { deadlines: { call: limit, list: limit, query: limit } }),
  });
  const session = sessionOf(client);
  await using plugin = form === "native" ? await openPlugin(session) : undefined;
  const how = await operation.run(session, direct, plugin?.resources ?? lifecycles);
  const [method = ""] = operation.request.split(" ");
  return {
    how,
    requests: proxy.calls.filter((call) => meets(method, call.slice(method.length + 1)) && call.startsWith(method))
      .length,
    left:
      proxy.carriedOut.filter((call) => /^POST \/v2\/\w+ 20/.test(call)).length -
      (operation.revokes ? proxy.carriedOut.filter((call) => /^DELETE .* 204/.test(call)).length : 0),
  };
}
