import type { ApiTokenInputs, ApiTokenState } from "../../../provider/apiToken/lifecycle";

/** An object as the engine records it. */
export interface Recorded {
  readonly name: string;
  readonly id: string;
  readonly inputs: ApiTokenInputs;
  readonly state: ApiTokenState;
}

/** A program's arguments of a token. */
export type Declared = Readonly<Record<string, unknown>>;

/** With what a command runs. */
export interface Access {
  readonly credential: string;
  /** The user's own name of the account. */
  readonly label: string | undefined;
}

/** How an update replaces, by the names of resources. */
export interface Ways {
  /** The option `--replace`: the engine asks no diff. */
  readonly targets: ReadonlySet<string>;
  /** `replaceOnChanges`: a change in place becomes a replacement. */
  readonly onChanges: ReadonlySet<string>;
  readonly deleteBeforeReplace: ReadonlySet<string>;
}

/** The engine encrypts the secret of an adoption. */
export const omitSecret = ({ adopt, ...inputs }: ApiTokenInputs) => [inputs, adopt?.id, adopt?.name];

/** A state is JSON. */
export const asStored = <T>(state: T): T => JSON.parse(JSON.stringify(state));
