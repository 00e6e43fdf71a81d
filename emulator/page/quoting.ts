/** Quotes a name, whatever it contains, for a query. */
export const quoteName = (name: string): string => `['${name.replace(/[\\']/g, "\\$&")}']`;
