import { decode } from "../../../framework/engineValues";
import type { Bag } from "../../../framework/lifecycle";
import { withoutProvider } from "../../../framework/package";
import { join } from "../../../framework/record";
import type { Recorded as EngineRecorded } from "../../../framework/testing";
import type { EngineObject } from "../../../framework/testing/process";
import {
  type ApiTokenInputs,
  type ApiTokenState,
  apiTokenDefinition,
} from "../../../provider/nouns/apiToken/definition";
import type { Recorded } from "./model";
import { wordOf } from "./table";

/** Values of the engine as the hooks of tokens know them. */
export const inputsOf = (inputs: Bag): ApiTokenInputs => withoutProvider(decode(inputs)) as unknown as ApiTokenInputs;
export const stateOf = (outputs: Bag): ApiTokenState =>
  join(apiTokenDefinition, withoutProvider(decode(outputs))) as unknown as ApiTokenState;

type Note = Pick<Recorded, "word" | "replaced"> & { readonly isLost: boolean };

/** The facts that the judge keeps about objects beside the engine's record. */
export class Notes {
  readonly #notes = new Map<string, Note>();

  set(name: string, id: string, note: Note): void {
    this.#notes.set(`${name} ${id}`, note);
  }

  /** An object with what is known of it. */
  read(object: EngineObject): Recorded {
    const { name, id, inputs, outputs, options, isPending = false } = object as EngineRecorded;
    const { provider = "default", retainOnDelete = false, alias = "" } = options;
    const known = inputsOf(inputs);
    const note = this.#notes.get(`${name} ${id}`) ?? this.#notes.get(`${alias} ${id}`);
    return {
      key: name,
      id,
      inputs: known,
      state: stateOf(outputs),
      provider,
      isRetained: retainOnDelete,
      isPending,
      // A stack can have a token twice under one name: borrowed, and owned since.
      word: { ...(note?.word ?? wordOf(known)), isBorrowed: known.adopt !== undefined },
      isLost: note?.isLost ?? false,
      replaced: note?.replaced ?? [],
    };
  }
}
