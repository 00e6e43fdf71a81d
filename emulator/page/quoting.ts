/** A name in a query, whatever it has in it. */
export const quoted = (name: string): string => `['${name.replace(/[\\']/g, "\\$&")}']`;
