import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { asJson, isSame } from "../compare";
import { computedBy, derive, namesWhere, withoutHints } from "../definition";
import { holdsSecret, isMarkedSecret } from "../engineValues";
import { Hooks } from "../hooks";
import type { Host, HostedResource } from "../host";
import { keyOfUrn, readUrn, secretCandidates } from "../identity";
import type { Bag } from "../lifecycle";
import { type ProviderPackage, providerKey, storedProvider } from "../package";
import { join, split } from "../record";
import { hasUnknown } from "../unknown";
import type { EngineLog } from "./engineLog";
import { toServiceError } from "./failures";
import {
  answerCheck,
  type Decoded,
  decode,
  describeImport,
  describeMissing,
  encode,
  findDeclaredHints,
  isOutdated,
  nameOfType,
  readAsked,
  unknowns,
} from "./properties";

/** The lifecycles' hooks as the engine calls them. Only translates: messages, secrets, unknown values, failures. */
export class ResourceHooks {
  readonly #own: ProviderPackage;
  readonly #kinds: ReadonlyMap<string, Hooks>;
  readonly #log: EngineLog;
  /** The resources that are being imported: they were read without a state. */
  readonly #imported = new Set<string>();

  constructor(own: ProviderPackage, resources: readonly HostedResource[], host: Host, log: EngineLog) {
    this.#own = own;
    this.#log = log;
    this.#kinds = new Map(resources.map((resource) => [resource.definition.name, new Hooks(resource, host)]));
  }

  async check(request: messages.CheckRequest): Promise<messages.CheckResponse> {
    const { resource, urn, tell, hooks } = this.#about(request);
    const [given, old] = [decode(request.getNews()), decode(request.getOlds())];
    const problems = findDeclaredHints(resource.definition, given.values, old.values);
    const candidates = secretCandidates(resource.definition, given.marked, isMarkedSecret);
    const hidden = candidates.filter(([, value]) => holdsSecret(value)).map(([hint]) => hint);
    const secretInputs = [...new Set(hidden)].sort();
    // Inputs that the engine copied whole say by themselves which of them are secret.
    const hints = secretInputs.length > 0 && given.values.secretInputs === undefined ? { secretInputs } : {};
    const news = { ...given.values, ...hints, key: keyOfUrn(urn) };
    // A value that the engine copied has its mark.
    const isPlain = (hint: string) =>
      !hidden.includes(hint) && candidates.some(([declared, value]) => declared === hint && value !== undefined);
    const { inputs, reasons } = await hooks.check(old.values, news, tell, { ...readAsked(request), isPlain });
    return answerCheck(this.#encode(resource, inputs, given, old), [...problems, ...reasons]);
  }

  async diff(request: messages.DiffRequest): Promise<messages.DiffResponse> {
    const { resource, hooks, urn, tell } = this.#about(request);
    const { values: recorded } = decode(request.getOlds());
    const { values: old } = decode(request.getOldInputs());
    const { values: inputs } = decode(request.getNews());
    const state = join(resource.definition, recorded);
    const { replaces, ...difference } = await hooks.diff(request.getId(), state, inputs, tell);
    const changes = difference.changes || isOutdated(resource.definition, recorded, state);
    if (this.#imported.has(urn) && replaces.length > 0) throw new Error(describeImport(request.getId(), replaces));
    const response = new messages.DiffResponse()
      .setChanges(messages.DiffResponse.DiffChanges[changes ? "DIFF_SOME" : "DIFF_NONE"])
      .setReplacesList([...replaces]);
    if (!changes) return response;
    const declared = [...new Set([...Object.keys(old), ...Object.keys(inputs)])];
    // `replaceOnChanges: ["*"]` would replace a renamed resource for its key, which nobody declared.
    const edited = declared.filter((key) => key !== "key" && !isSame(asJson, old[key], inputs[key]));
    const keys = [...new Set([...replaces, ...edited])];
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
    const { resource, hooks, tell } = this.#about(request);
    const declared = decode(request.getProperties());
    if (request.getPreview()) {
      // A generated value is known already, but the object is not there yet: a lookup of it has to wait.
      const made = namesWhere(resource.definition, ({ generated }) => generated?.(declared.values as never) === true);
      const state = { ...unknowns(computedBy(resource.definition)), ...declared.values, ...unknowns(made) };
      return new messages.CreateResponse().setProperties(this.#outputs(resource, state, declared));
    }
    return this.#keeping(resource, declared, undefined, async (outputs) => {
      const { id, state } = await hooks.create(declared.values, tell);
      return new messages.CreateResponse().setId(id).setProperties(outputs(state));
    });
  }

  async read(request: messages.ReadRequest): Promise<messages.ReadResponse> {
    const { resource, hooks, urn, tell } = this.#about(request);
    const id = request.getId();
    const [recorded, inputs] = [decode(request.getProperties()), decode(request.getInputs())];
    const state = join(resource.definition, recorded.values);
    const isNew = Object.keys(state).length === 0;
    const live = await hooks.read(id, { key: keyOfUrn(urn), ...state }, tell);
    if (!live && isNew) throw new Error(describeMissing(id, resource.definition.name));
    if (!live) return new messages.ReadResponse();
    if (isNew) this.#imported.add(urn);
    const { onImport } = resource.definition;
    if (isNew && onImport) await tell.inform(`${id}: ${onImport}`);
    const known = { ...recorded, secrets: [...recorded.secrets, ...inputs.secrets] };
    const found = live.inputs ?? inputs.values;
    // An import shows the inputs to the user, who declares no hints.
    const shown = isNew ? withoutHints(resource.definition, found) : found;
    return new messages.ReadResponse()
      .setId(id)
      .setProperties(this.#outputs(resource, live.state, known))
      .setInputs(this.#encode(resource, shown, known));
  }

  async update(request: messages.UpdateRequest): Promise<messages.UpdateResponse> {
    const { resource, hooks, tell } = this.#about(request);
    const declared = decode(request.getNews());
    const old = decode(request.getOlds());
    const state = join(resource.definition, old.values);
    if (request.getPreview()) {
      const dropped = Object.keys(decode(request.getOldInputs()).values).filter((key) => !(key in declared.values));
      const kept = Object.fromEntries(Object.entries(state).filter(([key]) => !dropped.includes(key)));
      const made = namesWhere(resource.definition, ({ renewed }) => renewed?.(declared.values as never) === true);
      const next = { ...kept, ...declared.values, ...unknowns(made) };
      return new messages.UpdateResponse().setProperties(this.#outputs(resource, next, declared, old));
    }
    return this.#keeping(resource, declared, old, async (outputs) => {
      const next = await hooks.update(request.getId(), state, declared.values, tell);
      return new messages.UpdateResponse().setProperties(outputs(next));
    });
  }

  async delete(request: messages.DeleteRequest): Promise<void> {
    const { resource, hooks, tell } = this.#about(request);
    const state = join(resource.definition, decode(request.getProperties()).values);
    await hooks.delete(request.getId(), state, tell);
  }

  #about(request: { getUrn(): string }) {
    const urn = request.getUrn();
    const { type } = readUrn(urn);
    const hooks = this.#kinds.get(nameOfType(type));
    if (!hooks) throw new Error(`there is no resource ${type}; there are ${[...this.#kinds.keys()].join(", ")}`);
    return { hooks, resource: hooks.resource, urn, tell: this.#log.about(urn) };
  }

  /**
   * Properties with the marks of secrets: by the definition, by the program, or because it is an earlier value that was
   * secret. A value that the program itself says in plain text is no secret any more.
   */
  #encode({ definition }: HostedResource, bag: Bag, declared: Decoded, old?: Decoded) {
    const { values, secrets } = split(definition, bag);
    const kept = (old?.secrets ?? []).filter(
      (key) => isSame(asJson, values[key], old?.values[key]) && !isSame(asJson, values[key], declared.values[key]),
    );
    return encode(values, [...secrets, ...declared.secrets, ...kept]);
  }

  /** The outputs of a state. With the dynamic form's provider among them, so that it can take the resource over. */
  #outputs(resource: HostedResource, state: Bag, declared: Decoded, old?: Decoded) {
    const { definition } = resource;
    const outputs = { ...state, ...(hasUnknown(state) ? {} : derive(definition, state)) };
    return this.#encode(resource, { ...outputs, [providerKey]: storedProvider(this.#own, definition) }, declared, old);
  }

  /** A failure that leaves an object behind is one that the engine keeps. */
  async #keeping<T>(
    resource: HostedResource,
    declared: Decoded,
    old: Decoded | undefined,
    hook: (outputs: (state: object) => ReturnType<typeof encode>) => Promise<T>,
  ): Promise<T> {
    const outputs = (state: object) => this.#outputs(resource, state as Bag, declared, old);
    try {
      return await hook(outputs);
    } catch (failure) {
      const inputs = this.#encode(resource, declared.values, declared);
      throw toServiceError(failure, { outputs, inputs });
    }
  }
}
