import { AsyncLocalStorage } from "node:async_hooks";

const discreetRuns = new AsyncLocalStorage<true>();

/**
 * Runs calls whose requests contain secrets. Their failures leave out the service's message, which can repeat the secrets, and
 * no debug line shows the part of an address that is a name of the user's choice.
 */
export const withDiscretion = <T>(run: () => Promise<T>): Promise<T> => discreetRuns.run(true, run);

/** Whether the current call runs in `withDiscretion`. */
export const isDiscreet = (): boolean => discreetRuns.getStore() === true;
