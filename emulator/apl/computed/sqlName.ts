/** The name of a computed function in SQL. */
export const sqlNameOf = (name: string): string => `js_${name}`;
