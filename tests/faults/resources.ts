import { annotation } from "../../provider/lifecycle/annotation/annotation";
import { deploymentMarker } from "../../provider/lifecycle/annotation/deploymentMarker";
import { type Lifecycle, PartialCreate, type Session } from "../../provider/lifecycle/contract";
import { queryGate } from "../../provider/lifecycle/gate/queryGate";
import { apiToken } from "../../provider/lifecycle/token/apiToken";
import { serve } from "../../provider/native/server";
import { Connection } from "../../provider/session/connection";
import { type Calls, connectTo, type Failure, urnOf } from "../native/plugin";

/** As the dynamic form calls them. */
export const lifecycles = { apiToken, annotation, deploymentMarker, queryGate } as const;

/** What resources do to the service, through whatever. */
export type Resources = {
  readonly [Name in keyof typeof lifecycles]: Pick<(typeof lifecycles)[Name], "create" | "read" | "update" | "delete">;
};

class SessionConnection extends Connection {
  readonly #session: Session;

  constructor(session: Session) {
    super(session);
    this.#session = session;
  }

  override session(): Session {
    return this.#session;
  }
}

/** The plugin on this session, in this process, so that no wait is made; spoken to as the engine does. */
export async function openPlugin(session: Session): Promise<AsyncDisposable & { readonly resources: Resources }> {
  const { port, stop } = await serve(undefined, undefined, new SessionConnection(session));
  const calls = connectTo(port);
  return {
    resources: {
      apiToken: resourceOf(calls, "ApiToken"),
      annotation: resourceOf(calls, "Annotation"),
      deploymentMarker: resourceOf(calls, "DeploymentAnnotation"),
      queryGate: resourceOf(calls, "QueryGate"),
    },
    async [Symbol.asyncDispose]() {
      calls.close();
      stop();
    },
  };
}

type Bag = Record<string, unknown>;
type Hooked<Inputs extends object, State extends Inputs> = Pick<
  Lifecycle<Inputs, State>,
  "create" | "read" | "update" | "delete"
>;

/** What goes over the wire has no undefined members. */
const sent = (values: object): Bag => JSON.parse(JSON.stringify(values));

function resourceOf<Inputs extends object, State extends Inputs>(calls: Calls, type: string): Hooked<Inputs, State> {
  const urn = urnOf("ci", type);
  return {
    async create(_, inputs) {
      const made = orThrow(await calls.create(urn, sent(inputs)));
      return { id: made.id, state: made.outputs as State };
    },
    async read(_, id, state) {
      const { id: found, outputs } = await calls.read(urn, id, sent(state), {});
      return found === "" ? undefined : { state: outputs as State };
    },
    update: async (_, id, state, inputs) => orThrow(await calls.update(urn, id, sent(state), sent(inputs))) as State,
    delete: (_, id, state) => calls.delete(urn, id, sent(state)),
  };
}

/** @throws PartialCreate for what the engine is to keep */
function orThrow<Answer extends object>(answer: Answer | Failure): Answer {
  if (!("message" in answer && typeof answer.message === "string")) return answer as Answer;
  const { message, kept } = answer as Failure;
  throw kept ? new PartialCreate(message, kept.id, kept.properties) : new Error(message);
}
