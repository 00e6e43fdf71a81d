type Optional<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** The object without the members that are undefined: an optional member is either there or not. */
export const defined = <T extends object>(members: T): Optional<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Optional<T>;
