import { offers, type Profile } from "../../../sdk";
import { type BodyField, operations, type SendingOperation } from "../../../sdk/operations";

/**
 * Finds the parts of a create that the client would refuse without sending anything: the whole create or some of its fields, if
 * they need a larger profile, and a request that is too long. Values that are not known yet can make it longer.
 * @param kind the resource, which is what a whole create lacks
 */
export function findRefusedFields(
  { profile, howToExtend }: { readonly profile: Profile; readonly howToExtend: string },
  kind: string,
  operation: string | undefined,
  values: Readonly<Record<string, unknown>>,
): { readonly property: string; readonly reason: string }[] {
  if (operation === undefined) return [];
  const needed = operations[operation as SendingOperation];
  if (!offers(profile, needed))
    return [{ property: kind, reason: `needs the profile "${needed.profile}": ${howToExtend}` }];
  const { body, maxRequest } = needed;
  const declared = Object.entries<BodyField>(body).filter(([field]) => values[field] !== undefined);
  const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? "");
  const refused = declared
    .filter(([, facts]) => !offers(profile, facts))
    .map(([property, facts]) => ({ property, reason: `needs the profile ${facts.profile}` }));
  const size = sizeOf(Object.fromEntries(declared.map(([field]) => [field, values[field]])));
  if (size <= maxRequest) return refused;
  const [property = ""] = declared.map(([field]) => field).sort((a, b) => sizeOf(values[b]) - sizeOf(values[a]));
  const reason = `is too long: the request would have ${size} bytes, and the limit is ${maxRequest}`;
  return [...refused, { property, reason }];
}
