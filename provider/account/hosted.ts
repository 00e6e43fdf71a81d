import { pick } from "../../framework/compare";
import type { ResourceDefinition } from "../../framework/definition";
import type { AnyLifecycle, HostedResource } from "../../framework/host";
import { type Hints, secretsOfAll } from "../../framework/identity";
import type { Bag, CheckFailure } from "../../framework/lifecycle";
import { isStatus, type Listing, offers, type ResponseObject } from "../../sdk";
import { operations, type SendingOperation } from "../../sdk/operations";
import { bodyFields } from "../../sdk/requests";
import type { Sighting } from "./account";
import type { Lifecycle, Planning, Service, Session } from "./connection";
import { confirmGone } from "./gone";
import { decidePlace } from "./presence";

export type Hosted = HostedResource<Planning, Service>;

/** A state that says where its object was last seen. */
interface Sighted {
  readonly record: Sighting;
}

/** The objects of a noun at the service. */
interface Objects<State> {
  /** An object in the words of a message. */
  readonly describe: (id: string, state: Partial<State>) => string;
  /** Lists the objects of the account: a "not found" alone does not prove that an object is gone. */
  readonly list: (session: Session, id: string) => Promise<Listing<ResponseObject>>;
}

/** Everything that a noun has besides its definition and its hooks. */
interface Facts<State> extends Omit<Hosted, "definition" | "lifecycle" | "refuse"> {
  /** The operation whose fields the inputs must fit. */
  readonly create: SendingOperation;
  /** "none": no object at the service is looked up, so `read` never finds one gone. */
  readonly objects: State extends Sighted ? Objects<State> | "none" : "none";
}

/** @param hooks `read` returns undefined for an object that the service does not find; whether it is gone is decided here */
export function host<Inputs extends Hints, State extends Inputs>(
  definition: ResourceDefinition,
  hooks: Lifecycle<Inputs, State>,
  { create, objects, ...more }: Facts<NoInfer<State>>,
): { readonly lifecycle: Lifecycle<Inputs, State>; readonly hosted: Hosted } {
  const lifecycle = objects === "none" ? hooks : inOwnAccount(objects as Objects<State>, hooks);
  const untyped = lifecycle as unknown as AnyLifecycle<Planning, Service>;
  return { lifecycle, hosted: { definition, lifecycle: untyped, refuse: refuseFields(create), ...more } };
}

/** Adds the questions about the account: an object of another one is neither compared nor treated as gone. */
function inOwnAccount<Inputs extends Hints, State extends Inputs>(
  { describe, list }: Objects<State>,
  hooks: Lifecycle<Inputs, State>,
): Lifecycle<Inputs, State> {
  const sightingOf = (state: Partial<State>) => (state as Partial<Sighted>).record ?? {};
  return {
    ...hooks,

    diff(id, state, inputs, plan) {
      const object = describe(id, { ...state, ...secretsOfAll(state, inputs) });
      const place = plan.isUpdate ? decidePlace(object, sightingOf(state), plan.here) : "same";
      const isOtherAccount = place === "other";
      const difference = hooks.diff(id, state, inputs, { ...plan, isOtherAccount });
      return {
        ...difference,
        changes: difference.changes || place !== "same",
        replaces: isOtherAccount ? [...difference.replaces, "account"] : difference.replaces,
      };
    },

    async read(session, id, state) {
      const lister = { list: () => list(session, id) };
      const found = await hooks.read(session, id, state);
      return found ?? confirmGone(session.account, id, sightingOf(state), lister, describe(id, state));
    },

    async update(session, id, state, inputs) {
      try {
        return await hooks.update(session, id, state, inputs);
      } catch (cause) {
        if (!isStatus(cause, 404)) throw cause;
        const object = describe(id, state);
        await session.account.requireSame(object, sightingOf(state));
        const advice = `so it cannot be changed: run "pulumi refresh", then "pulumi up" again.`;
        throw new Error(`${object} is gone, ${advice}`, { cause });
      }
    },
  };
}

/** Refuses at preview the inputs that the client would refuse: fields of a larger profile, and too long a request. */
const refuseFields =
  (operation: SendingOperation) =>
  (inputs: Bag, { profile }: Planning): CheckFailure[] => {
    const fields = bodyFields[operation];
    const declared = Object.entries(fields).filter(([field]) => inputs[field] !== undefined);
    const refused = declared.filter(([, facts]) => !offers(profile, facts));
    return [
      ...refused.map(([field, facts]) => ({ property: field, reason: `needs the profile ${facts.profile}` })),
      ...refuseLength(pick(inputs, Object.keys(fields)), operations[operation].maxRequest),
    ];
  };

/** Blames the longest field. The request can become longer by values that are not known yet. */
function refuseLength(fields: Bag, limit: number): CheckFailure[] {
  const lengthOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? "");
  const length = lengthOf(fields);
  if (length <= limit) return [];
  const [property = ""] = Object.keys(fields).sort((a, b) => lengthOf(fields[b]) - lengthOf(fields[a]));
  const reason = `is too long: the request would have ${length} bytes, and at most ${limit} are sent`;
  return [{ property, reason }];
}
