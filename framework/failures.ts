/** A create or update that may have been carried out and left nothing to track. It is never repeated. */
export class UncertainCreate extends Error {
  override readonly name = "UncertainCreate";
}

/** A create that left an unusable object, which is tracked so that it can be replaced. */
export class PartialCreate extends Error {
  override readonly name = "PartialCreate";
  readonly id: string;
  /** Private: an inspected error must not show secret inputs. */
  readonly #state: object;

  constructor(message: string, id: string, state: object, options?: ErrorOptions) {
    super(message, options);
    this.id = id;
    this.#state = state;
  }

  get state(): object {
    return this.#state;
  }
}

const isNamed = (e: unknown, name: string): boolean => e instanceof Object && "name" in e && e.name === name;

export const isPartialCreate = (e: unknown): e is PartialCreate => isNamed(e, "PartialCreate");

/** Whether a create or update must not be sent again. */
export const isUncertain = (e: unknown): e is Error => isPartialCreate(e) || isNamed(e, "UncertainCreate");
