import { createHash, randomBytes } from "node:crypto";
import { defined } from "../../../sdk/values/defined";
import { isObject } from "../../../sdk/values/json";
import type { Unchecked } from "../contract";
import { keyOf } from "../resourceKey";

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
 * The `name` to use, and what to remember beside it: the logical name as `autoName` if the name was generated here, else as the
 * resource's key.
 * A generated name stays the same from one update to the next, and so does an adopted one after the adoption. One that was
 * secret stays that: the program does not say its name any more, so it does not say that it is secret either.
 * With the option `ignoreChanges` the engine copies the earlier name into the new inputs: it is as generated as it was, or
 * another would be generated, and with it another token made, once the option is removed.
 */
export function resolveName(
  olds: Unchecked | undefined,
  news: Unchecked,
  seed?: Uint8Array,
): { name?: unknown; autoName?: unknown; resourceKey?: unknown; secretInputs?: readonly unknown[] } {
  const key = defined({ resourceKey: keyOf(news) });
  if (news.name !== undefined && news.name !== null && !isCopied(olds, news)) return { name: news.name, ...key };
  if (news.adopt !== undefined) {
    const adopted = isObject(news.adopt) ? news.adopt.name : undefined;
    return adopted === undefined ? key : { name: adopted, ...key };
  }
  const autoName = news.autoName ?? olds?.autoName;
  if (typeof autoName !== "string") return {};
  const settled = olds?.autoName !== undefined || olds?.adopt !== undefined;
  const kept = settled && typeof olds?.name === "string" ? olds.name : undefined;
  const wasSecret = kept !== undefined && listOf(olds?.secretInputs).includes("name");
  return {
    name: kept ?? generateName(autoName, seed),
    autoName,
    ...(wasSecret ? { secretInputs: [...new Set([...listOf(news.secretInputs), "name"])].sort() } : {}),
  };
}

/** Whether a name is the earlier one that nobody chose: generated, or that of an adopted token. */
function isCopied(olds: Unchecked | undefined, { name, adopt }: Unchecked): boolean {
  if (adopt !== undefined || typeof name !== "string" || name !== olds?.name) return false;
  return olds.autoName !== undefined || (isObject(olds.adopt) && olds.adopt.name === name);
}
