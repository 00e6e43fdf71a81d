/** The options `--target` and `--exclude` of a command. */
export interface Selection {
  /** Names of resources: hooks of no other ones are called, but for the providers. */
  readonly only?: readonly string[] | undefined;
  readonly without?: readonly string[] | undefined;
}

/** The name of the resource that has the secret of a token. */
export const consumerOf = (key: string): string => `consumer of ${key}`;

/** Whether a command registers a resource with its provider; otherwise its state stays. */
export const isSelected = ({ only, without = [] }: Selection, name: string): boolean =>
  only ? only.includes(name) : !without.includes(name);

/**
 * Whether the engine deletes old objects of a token with this key at the end: it takes their names, also if a deletion is pending
 * (`GenerateDeletes`). What an excluded resource depends on is excluded, too.
 */
export const isDeletable = (selection: Selection, key: string, hasConsumer: boolean): boolean =>
  isSelected(selection, key) &&
  (selection.only !== undefined || !hasConsumer || isSelected(selection, consumerOf(key)));
