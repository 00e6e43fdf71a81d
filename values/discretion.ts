import { AsyncLocalStorage } from "node:async_hooks";

const discreetRuns = new AsyncLocalStorage<true>();

/**
 * Runs calls whose requests hold secrets. Their failures leave out the words of a response, which can repeat the secrets, and no line
 * shows the part of an address that a user chose as a name.
 */
export const withDiscretion = <T>(run: () => Promise<T>): Promise<T> => discreetRuns.run(true, run);

/** Whether the current call is such a call. */
export const isDiscreet = (): boolean => discreetRuns.getStore() === true;
