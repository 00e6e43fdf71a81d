/** Quotes any name for a query. */
export const quoteName = (name: string): string => `['${name.replace(/[\\']/g, "\\$&")}']`;
