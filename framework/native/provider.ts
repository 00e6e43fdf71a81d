import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { asJson, isSame, omit } from "../compare";
import { computedBy, derive, namesWhere, type ResourceDefinition, withoutHints } from "../definition";
import type { EngineLog } from "../engineLog";
import { holdsSecret, isMarkedSecret } from "../engineValues";
import { Hooks } from "../hooks";
import type { Host, HostedResource } from "../host";
import { keepSecrets, keyOfUrn, readUrn, secretCandidates, secretsOfAll } from "../identity";
import { type Bag, isPartialCreate } from "../lifecycle";
import { join, split } from "../record";
import { hasUnknown } from "../unknown";
import { toServiceError } from "./failures";
import {
  answerCheck,
  type Decoded,
  decode,
  describeImport,
  describeMissing,
  encode,
  findDeclaredHints,
  findEdited,
  isOutdated,
  nameOfType,
  plainNames,
  readAsked,
  unknowns,
} from "./properties";

/** The hooks of the lifecycles as the engine calls them. It only translates messages, secrets, unknown values and failures. */
export class ResourceHooks {
  readonly #kinds: ReadonlyMap<string, Hooks>;
  readonly #log: EngineLog;
  /** The resources that are being imported: they were read without a state. */
  readonly #imported = new Set<string>();

  constructor(resources: readonly HostedResource[], host: Host, log: EngineLog) {
    this.#log = log;
    this.#kinds = new Map(resources.map((resource) => [resource.definition.name, new Hooks(resource, host)]));
  }

  async check(request: messages.CheckRequest): Promise<messages.CheckResponse> {
    const { definition, urn, tell, hooks } = this.#about(request);
    const [given, old] = [decode(request.getNews()), decode(request.getOlds())];
    const problems = findDeclaredHints(definition, given.values, old.values);
    const hidden = secretCandidates(definition, given.marked, isMarkedSecret)
      .filter(([, value]) => holdsSecret(value))
      .map(([hint]) => hint);
    // Inputs that the engine copied whole say by themselves which of them are secret.
    const hints = given.values.secretInputs === undefined ? secretsOfAll({ secretInputs: hidden }) : {};
    const news = { ...given.values, ...hints, key: keyOfUrn(urn) };
    const { inputs, reasons } = await hooks.check(old.values, news, tell, readAsked(request));
    return answerCheck(this.#inputs(definition, inputs, given), [...problems, ...reasons]);
  }

  async diff(request: messages.DiffRequest): Promise<messages.DiffResponse> {
    const { definition, hooks, urn, tell } = this.#about(request);
    const { values: recorded } = decode(request.getOlds());
    const { values: old } = decode(request.getOldInputs());
    const { values: inputs } = decode(request.getNews());
    const state = join(definition, recorded);
    const { replaces, drifted = [], ...difference } = await hooks.diff(request.getId(), () => state, inputs, tell);
    const changes = difference.changes || isOutdated(definition, recorded, state);
    if (this.#imported.has(urn) && replaces.length > 0) throw new Error(describeImport(request.getId(), replaces));
    const response = new messages.DiffResponse()
      .setChanges(messages.DiffResponse.DiffChanges[changes ? "DIFF_SOME" : "DIFF_NONE"])
      .setReplacesList([...replaces]);
    if (!changes) return response;
    // `replaceOnChanges: ["*"]` would replace a renamed resource for its key, which nobody declared.
    const edited = findEdited(old, inputs).filter((key) => key !== "key");
    const keys = [...new Set([...replaces, ...edited, ...drifted])];
    for (const key of keys) {
      const kindOf = replaces.includes(key) ? "UPDATE_REPLACE" : "UPDATE";
      const property = new messages.PropertyDiff()
        .setKind(messages.PropertyDiff.Kind[kindOf])
        .setInputdiff(edited.includes(key));
      response.getDetaileddiffMap().set(key, property);
    }
    return response.setHasdetaileddiff(keys.length > 0).setDiffsList(keys);
  }

  async create(request: messages.CreateRequest): Promise<messages.CreateResponse> {
    const { definition, hooks, tell } = this.#about(request);
    const declared = decode(request.getProperties());
    if (request.getPreview()) {
      // A generated value is known already, but the object is not there yet: a lookup of it has to wait.
      const made = namesWhere(definition, ({ generated }) => generated?.(declared.values as never) === true);
      const state = { ...unknowns(computedBy(definition)), ...declared.values, ...unknowns(made) };
      return new messages.CreateResponse().setProperties(this.#outputs(definition, state, declared));
    }
    const { id, state } = await hooks.create(declared.values, tell).catch(this.#keepPartial(definition, declared));
    return new messages.CreateResponse().setId(id).setProperties(this.#outputs(definition, state, declared));
  }

  async read(request: messages.ReadRequest): Promise<messages.ReadResponse> {
    const { definition, hooks, urn, tell } = this.#about(request);
    const id = request.getId();
    const [recorded, inputs] = [decode(request.getProperties()), decode(request.getInputs())];
    const state = join(definition, recorded.values);
    const isNew = Object.keys(state).length === 0;
    const live = await hooks.read(id, { key: keyOfUrn(urn), ...state }, tell);
    if (!live && isNew) throw new Error(describeMissing(id, definition.name));
    if (!live) return new messages.ReadResponse();
    if (isNew) this.#imported.add(urn);
    if (isNew && definition.onImport) await tell.inform(`${id}: ${definition.onImport}`);
    const known = { ...inputs, secrets: [...recorded.secrets, ...inputs.secrets] };
    const found = live.inputs ?? inputs.values;
    // An import shows the inputs to the user, who declares no hints.
    const shown = isNew ? withoutHints(definition, found) : found;
    return new messages.ReadResponse()
      .setId(id)
      .setProperties(this.#outputs(definition, live.state, known))
      .setInputs(this.#inputs(definition, shown, known));
  }

  async update(request: messages.UpdateRequest): Promise<messages.UpdateResponse> {
    const { definition, hooks, tell } = this.#about(request);
    const declared = decode(request.getNews());
    const state = join(definition, decode(request.getOlds()).values);
    if (request.getPreview()) {
      const dropped = Object.keys(decode(request.getOldInputs()).values).filter((key) => !(key in declared.values));
      const kept = omit(state, dropped);
      const made = namesWhere(definition, ({ renewed }) => renewed?.(declared.values as never) === true);
      const next = keepSecrets(state, { ...kept, ...declared.values, ...unknowns(made) });
      return new messages.UpdateResponse().setProperties(this.#outputs(definition, next, declared));
    }
    const updating = hooks.update(request.getId(), state, declared.values, tell);
    const next = await updating.catch(this.#keepPartial(definition, declared));
    return new messages.UpdateResponse().setProperties(this.#outputs(definition, next, declared));
  }

  async delete(request: messages.DeleteRequest): Promise<void> {
    const { definition, hooks, tell } = this.#about(request);
    const state = join(definition, decode(request.getProperties()).values);
    await hooks.delete(request.getId(), state, tell);
  }

  #about(request: { getUrn(): string }) {
    const urn = request.getUrn();
    const { type } = readUrn(urn);
    const hooks = this.#kinds.get(nameOfType(type));
    if (!hooks)
      throw new Error(`there is no resource ${type}; the resources are ${[...this.#kinds.keys()].join(", ")}`);
    return { hooks, definition: hooks.resource.definition, urn, tell: this.#log.about(urn) };
  }

  /**
   * Properties with the marks of secrets: by the definition, or by the program. The engine itself marks what the option
   * `additionalSecretOutputs` names (`resource/deploy/step_executor.go`).
   * @param plain the names of inputs in plain text; only of other values it is true that they can derive from a secret argument
   */
  #encode(definition: ResourceDefinition, bag: Bag, declared: Decoded, plain: readonly string[] = []) {
    const { values, secrets } = split(definition, bag);
    const hidden = [...secrets, ...declared.secrets].filter((name) => !plain.includes(name));
    return encode(values, hidden);
  }

  /** Inputs. An input in plain text stays so beside secrets, unless `check` or a read has replaced its value. */
  #inputs(definition: ResourceDefinition, bag: Bag, given: Decoded) {
    const plain = plainNames(definition, given).filter((name) => isSame(asJson, bag[name], given.values[name]));
    return this.#encode(definition, bag, given, plain);
  }

  /** The outputs of a state, without the stored provider, which the dynamic form records when it takes over the resource. */
  #outputs(definition: ResourceDefinition, state: Bag, declared: Decoded) {
    const derived = hasUnknown(state) ? {} : derive(definition, state);
    return this.#encode(definition, { ...state, ...derived }, declared);
  }

  /** Makes the engine keep the object that a failure left behind. */
  #keepPartial(definition: ResourceDefinition, declared: Decoded) {
    return (failure: unknown): never => {
      if (!isPartialCreate(failure)) throw failure;
      const outputs = this.#outputs(definition, failure.state as Bag, declared);
      const inputs = this.#inputs(definition, declared.values, declared);
      const kept = new messages.ErrorResourceInitFailed().setId(failure.id).setProperties(outputs).setInputs(inputs);
      throw toServiceError(failure, kept);
    };
  }
}
