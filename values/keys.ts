/** The keys of a type whose members have these facts. */
export type KeysWith<T, Facts> = { [Key in keyof T]-?: T[Key] extends Facts ? Key : never }[keyof T];
