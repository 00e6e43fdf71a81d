/** The keys of a type's members that have these facts. */
export type KeysWith<T, Facts> = { [Key in keyof T]-?: T[Key] extends Facts ? Key : never }[keyof T];
