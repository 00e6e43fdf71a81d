import { AsyncLocalStorage } from "node:async_hooks";

const discreetRuns = new AsyncLocalStorage<true>();

/**
 * Runs calls whose requests hold secrets. Their failures leave out the service's words, which can repeat them, and no line shows
 * the part of an address that a user chose as a name.
 */
export const withDiscretion = <T>(run: () => Promise<T>): Promise<T> => discreetRuns.run(true, run);

/** Whether the present call is one of those. */
export const isDiscreet = (): boolean => discreetRuns.getStore() === true;
