import { runtime } from "@pulumi/pulumi";
import { unknown } from "../lifecycle/contract";

/** Copies a value and replaces one thing wherever it stands. */
function replaceAll(value: unknown, from: unknown, to: unknown): unknown {
  if (value === from) return to;
  if (Array.isArray(value)) return value.map((member) => replaceAll(member, from, to));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replaceAll(member, from, to)]));
}

type Bag = Record<string, unknown>;

/** The engine's markers of unknown values as the lifecycle's. */
export const fromEngine = (bag: Bag): Bag => replaceAll(bag, runtime.unknownValue, unknown) as Bag;

/** The lifecycle's markers of unknown values as the engine's. */
export const toEngine = (bag: object): Bag => replaceAll(bag, unknown, runtime.unknownValue) as Bag;

/** The properties of these names marked as secret, as the engine takes them from a provider; it hands them back in plain. */
export const markSecrets = (bag: Bag, names: readonly string[]): Bag =>
  Object.fromEntries(Object.entries(bag).map(([key, value]) => [key, names.includes(key) ? asSecret(value) : value]));

const asSecret = (value: unknown) =>
  value === runtime.unknownValue ? value : { [runtime.specialSigKey]: runtime.specialSecretSig, value };
