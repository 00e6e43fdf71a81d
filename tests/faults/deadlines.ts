/**
 * Deadlines of calls that are kept waiting, in milliseconds. The client ends a silence after a third of its deadline, give
 * or take a second: the third attempt begins before this one is over.
 */
export const deadlines = { silent: 18_000, late: 12_000 } as const;
