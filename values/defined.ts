/** The type without undefined values: members that can be undefined become optional. */
export type Defined<T> = { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/**
 * A copy without the members that are undefined. An optional member is then either absent or has a value.
 *
 * @example
 * ```ts
 * defined({ id: "t1", url: undefined }); // { id: "t1" }
 * ```
 */
export const defined = <T extends object>(members: T): Defined<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;
