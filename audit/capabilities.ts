/**
 * Capabilities as a set of single ones: `apiTokens:create`, and for a dataset `web.query:read`. What is no list of
 * strings has no documented meaning; it becomes one entry with its value, so that a change of it is a gain.
 */
export function flatten(capabilities: unknown): Set<string> {
  const flat = new Set<string>();
  const visit = (value: unknown, path: string): void => {
    if (value === undefined || value === null || value === "") return;
    if (Array.isArray(value)) {
      for (const member of value) {
        if (typeof member === "string") flat.add(`${path}:${member}`);
        else visit(member, path);
      }
    } else if (typeof value === "object") {
      for (const [key, member] of Object.entries(value)) visit(member, path === "" ? key : `${path}.${key}`);
    } else flat.add(`${path}=${JSON.stringify(value)}`);
  };
  visit(capabilities, "");
  return flat;
}

/** What is in one set of capabilities and not in the other, in order. */
export const minus = (a: ReadonlySet<string>, b: ReadonlySet<string>): string[] =>
  [...a].filter((capability) => !b.has(capability)).sort();
