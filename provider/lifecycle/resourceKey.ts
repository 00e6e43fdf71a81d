type ResourceKey = { readonly resourceKey?: unknown; readonly autoName?: unknown };

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/**
 * Tells the resource of these inputs from every other of its kind in its stack. Undefined: it is of a kind that has none, or an
 * earlier version declared it, which gave a chosen name no key.
 */
export const keyOf = ({ resourceKey, autoName }: ResourceKey): string | undefined =>
  textOf(resourceKey) ?? textOf(autoName);
