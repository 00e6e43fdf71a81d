import { pick } from "../../framework/compare";
import type { ResourceDefinition } from "../../framework/definition";
import type { AnyLifecycle, HostedResource } from "../../framework/host";
import type { Bag, CheckFailure } from "../../framework/lifecycle";
import { offers } from "../../sdk";
import { operations, type SendingOperation } from "../../sdk/operations";
import { bodyFields } from "../../sdk/requests";
import type { Planning, Service } from "./connection";

export type Hosted = HostedResource<Planning, Service>;

/** @param create the operation whose fields the inputs must fit */
export const host = (
  definition: ResourceDefinition,
  lifecycle: object,
  create: SendingOperation,
  more: Omit<Hosted, "definition" | "lifecycle" | "refuse"> = {},
): Hosted => ({
  definition,
  lifecycle: lifecycle as AnyLifecycle<Planning, Service>,
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
