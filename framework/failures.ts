/** A create, or an update, whose request may have been carried out, and which left nothing to track. It is never repeated. */
export class UncertainCreate extends Error {
  override readonly name = "UncertainCreate";
}

/** A create that left an object behind which is not usable. It must be tracked, so that it can be replaced. */
export class PartialCreate extends Error {
  override readonly name = "PartialCreate";
  readonly id: string;
  /** Private, so that an inspected error does not show it: inputs can be secret. */
  readonly #state: object;

  constructor(message: string, id: string, state: object, options?: ErrorOptions) {
    super(message, options);
    this.id = id;
    this.#state = state;
  }

  /** The state to record. */
  get state(): object {
    return this.#state;
  }
}

const isNamed = (e: unknown, name: string): boolean => e instanceof Object && "name" in e && e.name === name;

export const isPartialCreate = (e: unknown): e is PartialCreate => isNamed(e, "PartialCreate");

/** Whether a create, or an update, ended in a way that forbids sending it again. */
export const isUncertain = (e: unknown): e is Error => isPartialCreate(e) || isNamed(e, "UncertainCreate");
