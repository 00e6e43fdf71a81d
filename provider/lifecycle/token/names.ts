import { createHash, randomBytes } from "node:crypto";
import { defined } from "../../../sdk/values/defined";
import { isObject } from "../../../sdk/values/json";
import type { Unchecked } from "../contract";

/**
 * A name made from the resource's logical name. The random suffix keeps a replacement and the object it replaces apart,
 * and it lets a token whose creation went unanswered be recognised: nobody else made that name.
 */
function generateName(logicalName: string, seed: Uint8Array | undefined): string {
  const suffix = seed?.length ? createHash("sha256").update(seed).digest("hex") : randomBytes(4).toString("hex");
  return `${logicalName}-${suffix.slice(0, 7)}`;
}

/** The logical name that a name was generated from, if it has the form of a generated one. */
export const logicalNameOf = (name: string): string | undefined => /^(.*)-[0-9a-f]{7}$/s.exec(name)?.[1];

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * Tells the resource of these inputs from every other of its stack. Undefined: an earlier version declared it, which gave a
 * chosen name no key.
 */
export const keyOf = ({ resourceKey, autoName }: ResourceKey): string | undefined => resourceKey ?? autoName;

type ResourceKey = { readonly resourceKey?: string; readonly autoName?: string };

/**
 * The `name` to use, and what to remember beside it: the logical name as `autoName` if the name was generated here, else as the
 * resource's key.
 * A generated name stays the same from one update to the next, and so does an adopted one after the adoption. One that was
 * secret stays that: the program does not say its name any more, so it does not say that it is secret either.
 */
export function resolveName(
  olds: Unchecked | undefined,
  news: Unchecked,
  seed?: Uint8Array,
): { name?: unknown; autoName?: unknown; resourceKey?: unknown; secretInputs?: readonly unknown[] } {
  const key = defined({ resourceKey: keyOf(news) });
  if (news.name !== undefined && news.name !== null) return { name: news.name, ...key };
  if (news.adopt !== undefined) {
    const adopted = isObject(news.adopt) ? news.adopt.name : undefined;
    return adopted === undefined ? key : { name: adopted, ...key };
  }
  if (typeof news.autoName !== "string") return {};
  const settled = olds?.autoName !== undefined || olds?.adopt !== undefined;
  const kept = settled && typeof olds?.name === "string" ? olds.name : undefined;
  const wasSecret = kept !== undefined && listOf(olds?.secretInputs).includes("name");
  return {
    name: kept ?? generateName(news.autoName, seed),
    autoName: news.autoName,
    ...(wasSecret ? { secretInputs: [...new Set([...listOf(news.secretInputs), "name"])].sort() } : {}),
  };
}
