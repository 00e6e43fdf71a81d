import { pick } from "../../framework/compare";
import type { ResourceDefinition } from "../../framework/definition";
import type { AnyLifecycle } from "../../framework/host";
import type { Hints } from "../../framework/identity";
import type { Bag, CheckFailure } from "../../framework/lifecycle";
import { offers } from "../../sdk";
import { operations, type SendingOperation } from "../../sdk/operations";
import { bodyFields } from "../../sdk/requests";
import type { Hosted, Lifecycle, Planning, Service } from "./connection";

/** Everything that a noun has besides its definition and its hooks. */
interface Facts extends Omit<Hosted, "definition" | "lifecycle" | "refuse"> {
  /** The operation whose fields the inputs must fit. */
  readonly create: SendingOperation;
}

export const host = <Inputs extends Hints, State extends Inputs, Planned>(
  definition: ResourceDefinition,
  lifecycle: Lifecycle<Inputs, State, Planned>,
  { create, ...more }: Facts,
): Hosted => ({
  definition,
  lifecycle: lifecycle as unknown as AnyLifecycle<Planning, Service>,
  refuse: refuseFields(create),
  ...more,
});

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
