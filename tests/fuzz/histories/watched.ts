import {
  type About,
  type EngineObject,
  type Process as EngineProcess,
  PartialFailure,
} from "../../../framework/testing/process";
import type { ApiTokenInputs } from "../../../provider/nouns/apiToken/definition";
import type { Judge } from "./judge";
import type { Recorded } from "./model";
import type { Process } from "./process";
import { inputsOf, type Notes, stateOf } from "./recorded";
import { wordOf } from "./table";

const nameOf = ({ urn }: About): string => urn.split("::").at(-1) ?? "";

/** Stands between the engine and the process of tokens, so that the judge hears of each call. */
export function watch(engine: EngineProcess, process: Process, judge: Judge, notes: Notes, requireAlive: () => void) {
  const tell = <T>(call: Promise<T>): Promise<T> =>
    call.catch((failure: Error) => {
      requireAlive();
      judge.tell(failure.message);
      throw failure;
    });
  /** Notes an object that its resource has after its step. */
  const keep = (name: string, inputs: ApiTokenInputs, object: Pick<Recorded, "id" | "isLost" | "replaced">) => {
    notes.set(name, object.id, { word: wordOf(inputs), isLost: object.isLost === true, replaced: object.replaced });
    process.kept.set(name, object.id);
  };
  return {
    ...engine,
    async check(about, olds, news) {
      const checked = await tell(engine.check(about, olds, news));
      process.accepted.set(nameOf(about), inputsOf(checked.inputs));
      return checked;
    },
    async diff(about, object, news) {
      const name = nameOf(about);
      // Before a check it is part of a refresh.
      if (!process.accepted.has(name)) return await tell(engine.diff(about, object, news));
      const old = notes.read(object);
      if (!process.claimed.has(old.id)) process.claimed.set(old.id, old.key);
      const found = await tell(engine.diff(about, object, news));
      judge.compared(process, name, old, inputsOf(news));
      if (!found.changes) keep(name, inputsOf(news), old);
      return found;
    },
    async create(about, declared, isPreview) {
      const name = nameOf(about);
      const inputs = inputsOf(declared);
      const create = judge.beginCreate(process, name, inputs);
      const record = ({ id, outputs }: Pick<EngineObject, "id" | "outputs">, isLost: boolean) => {
        requireAlive();
        const object = { id, state: stateOf(outputs), isLost, replaced: create.end(id) };
        const compared = process.compared.get(name);
        if (compared && inputs.adopt === undefined) judge.recorded(process, compared, object);
        keep(name, inputs, object);
      };
      try {
        const created = await tell(engine.create(about, declared, isPreview));
        record(created, false);
        return created;
      } catch (failure) {
        if (failure instanceof PartialFailure) record(failure, true);
        throw failure;
      }
    },
    async read(about, object) {
      const one = notes.read(object);
      const found = await tell(engine.read(about, object));
      requireAlive();
      if (found) judge.recorded(process, one, { id: one.id, state: stateOf(found.outputs) });
      else judge.forgotten(one);
      return found;
    },
    async update(about, object, news, isPreview) {
      const old = notes.read(object);
      const outputs = await tell(engine.update(about, object, news, isPreview));
      requireAlive();
      judge.recorded(process, old, { id: old.id, state: stateOf(outputs) });
      keep(nameOf(about), inputsOf(news), old);
      return outputs;
    },
    async delete(about, object) {
      const deletion = judge.beginDelete(process, notes.read(object));
      await tell(engine.delete(about, object));
      requireAlive();
      deletion.end();
    },
    async close() {
      await engine.close();
      await process.client.close();
    },
  } satisfies EngineProcess;
}
