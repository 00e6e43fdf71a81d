import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { asJson, isSame } from "../compare";
import { computedBy, namesWhere, secretCandidates } from "../definition";
import { Hooks } from "../hooks";
import { findReplacingInputs, type Host, type HostedResource } from "../host";
import { keyOfUrn } from "../identity";
import type { Bag, Tell } from "../lifecycle";
import { type ProviderPackage, providerKey, storedProvider } from "../package";
import { join, split } from "../record";
import { hasUnknown } from "../unknown";
import type { EngineLog } from "./engineLog";
import { toServiceError } from "./failures";
import {
  answerCheck,
  describeImport,
  describeMissing,
  describeUnknownArguments,
  isOutdated,
  nameOfType,
  placeOf,
  readAsked,
  unknowns,
  withoutHints,
  withoutProvider,
} from "./properties";
import { type Decoded, decode, encode, holdsSecret, isMarkedSecret } from "./values";

/** A kind of resource in this process. */
interface Served<Planning extends object, Service extends object> {
  readonly resource: HostedResource<Planning, Service>;
  readonly hooks: Hooks<Planning, Service>;
}

/** A request's resource. */
interface About<Planning extends object, Service extends object> extends Served<Planning, Service> {
  readonly urn: string;
  readonly tell: Tell;
}

/** The lifecycles' hooks as the engine calls them. Only translates: messages, secrets, unknown values, failures. */
export class ResourceHooks<Planning extends object, Service extends object> {
  readonly #own: ProviderPackage;
  readonly #host: Host<Planning, Service>;
  readonly #kinds: ReadonlyMap<string, Served<Planning, Service>>;
  readonly #log: EngineLog;
  /** The resources that are being imported: they were read without a state. */
  readonly #imported = new Set<string>();

  constructor(
    own: ProviderPackage,
    resources: readonly HostedResource<Planning, Service>[],
    host: Host<Planning, Service>,
    log: EngineLog,
  ) {
    this.#own = own;
    this.#host = host;
    this.#log = log;
    this.#kinds = new Map(
      resources.map((resource) => [resource.definition.name, { resource, hooks: new Hooks(resource, host) }]),
    );
  }

  async check(request: messages.CheckRequest): Promise<messages.CheckResponse> {
    const about = this.#about(request);
    const { resource, urn, tell, hooks } = about;
    const [given, old] = [decode(request.getNews()), decode(request.getOlds())];
    const problems = [
      ...describeUnknownArguments(resource, given.values, old.values),
      ...(resource.problems?.(given.values) ?? []),
    ];
    if (problems.length > 0) return answerCheck(request.getNews(), problems);
    const { definition } = resource;
    const declared = withoutProvider(given.values);
    const hidden = secretCandidates(definition, given.marked, isMarkedSecret).filter(([, value]) => holdsSecret(value));
    const secretInputs = [...new Set(hidden.map(([hint]) => hint))].sort();
    // Inputs that the engine copied whole say by themselves which of them are secret.
    const hints = { ...(secretInputs.length > 0 && declared.secretInputs === undefined ? { secretInputs } : {}) };
    const completed = (await resource.complete?.(declared, { ...placeOf(urn), ...tell })) ?? declared;
    const news = { ...completed, ...hints, key: keyOfUrn(urn) };
    const { inputs, reasons } = await hooks.check(withoutProvider(old.values), news, tell, readAsked(request));
    return answerCheck(this.#encode(resource, inputs, given, old), reasons);
  }

  async diff(request: messages.DiffRequest): Promise<messages.DiffResponse> {
    const { resource, hooks, urn, tell } = this.#about(request);
    const [recorded, old, inputs] = [request.getOlds(), request.getOldInputs(), request.getNews()].map((message) =>
      withoutProvider(decode(message).values),
    ) as [Bag, Bag, Bag];
    const state = this.#stateOf(resource, recorded);
    const difference = await hooks.diff(request.getId(), state, inputs, tell);
    const { replaces } = difference;
    const changes = difference.changes || isOutdated(resource, recorded, state, inputs);
    if (this.#imported.has(urn) && replaces.length > 0) throw new Error(describeImport(request.getId(), replaces));
    const response = new messages.DiffResponse()
      .setChanges(messages.DiffResponse.DiffChanges[changes ? "DIFF_SOME" : "DIFF_NONE"])
      .setReplacesList([...replaces]);
    if (!changes) return response;
    const declared = [...new Set([...Object.keys(old), ...Object.keys(inputs)])];
    const edited = declared.filter((key) => !isSame(asJson, old[key], inputs[key]));
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
      const generated = unknowns(resource.generated?.(declared.values) ?? []);
      const state = { ...unknowns(computedBy(resource.definition)), ...declared.values, ...generated };
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
    const state = this.#stateOf(resource, withoutProvider(recorded.values));
    const isNew = Object.keys(state).length === 0;
    const live = await hooks.read(id, { key: keyOfUrn(urn), ...state }, tell);
    if (!live && isNew) throw new Error(describeMissing(id, resource.definition.name));
    if (!live) return new messages.ReadResponse();
    if (isNew) this.#imported.add(urn);
    const { onImport } = resource.definition;
    if (isNew && onImport) await tell.inform(`${id}: ${onImport}`);
    const known = { ...recorded, secrets: [...recorded.secrets, ...inputs.secrets] };
    const found = live.inputs ?? withoutProvider(inputs.values);
    // An import shows the inputs to the user, who declares no hints.
    const shown = isNew ? withoutHints(resource, found) : found;
    return new messages.ReadResponse()
      .setId(id)
      .setProperties(this.#outputs(resource, live.state, known))
      .setInputs(this.#encode(resource, shown, known));
  }

  async update(request: messages.UpdateRequest): Promise<messages.UpdateResponse> {
    const { resource, hooks, tell } = this.#about(request);
    const declared = decode(request.getNews());
    const old = decode(request.getOlds());
    const state = this.#stateOf(resource, withoutProvider(old.values));
    if (request.getPreview()) {
      const dropped = Object.keys(decode(request.getOldInputs()).values).filter((key) => !(key in declared.values));
      const kept = Object.fromEntries(Object.entries(state).filter(([key]) => !dropped.includes(key)));
      const next = { ...kept, ...declared.values, ...unknowns(this.#renewedBy(resource, declared.values)) };
      return new messages.UpdateResponse().setProperties(this.#outputs(resource, next, declared, old));
    }
    return this.#keeping(resource, declared, old, async (outputs) => {
      const next = await hooks.update(request.getId(), state, declared.values, tell);
      return new messages.UpdateResponse().setProperties(outputs(next));
    });
  }

  async delete(request: messages.DeleteRequest): Promise<void> {
    const { resource, hooks, tell } = this.#about(request);
    const recorded = withoutProvider(decode(request.getProperties()).values);
    await hooks.delete(request.getId(), this.#stateOf(resource, recorded), tell);
  }

  /** The outputs that an update may make anew: all that a replacement does, if an unknown input may cause one. */
  #renewedBy(resource: HostedResource<Planning, Service>, inputs: Bag): readonly string[] {
    const replacing = findReplacingInputs(resource, this.#host.connection.planning());
    if (!replacing.some((name) => hasUnknown(inputs[name]))) return resource.renewed?.(inputs) ?? [];
    return computedBy(resource.definition).filter((name) => inputs[name] === undefined || hasUnknown(inputs[name]));
  }

  #about(request: { getUrn(): string }): About<Planning, Service> {
    const urn = request.getUrn();
    const type = urn.split("::")[2]?.split("$").at(-1) ?? "";
    const kind = this.#kinds.get(nameOfType(type));
    if (!kind) throw new Error(`there is no resource ${type}; there are ${[...this.#kinds.keys()].join(", ")}`);
    return { ...kind, urn, tell: this.#log.about(urn) };
  }

  /** A recorded state as lifecycles know it, without the outputs that only this form records. */
  #stateOf({ definition }: HostedResource<Planning, Service>, recorded: Bag): Bag {
    const derived = namesWhere(definition, ({ kind }) => kind === "derived");
    return join(definition, Object.fromEntries(Object.entries(recorded).filter(([name]) => !derived.includes(name))));
  }

  /**
   * Properties with the marks of secrets: by the definition, by the program, or because it is an earlier value that was
   * secret. A value that the program itself says in plain text is no secret any more.
   */
  #encode({ definition }: HostedResource<Planning, Service>, bag: Bag, declared: Decoded, old?: Decoded) {
    const { values, secrets } = split(definition, bag);
    const kept = (old?.secrets ?? []).filter(
      (key) => isSame(asJson, values[key], old?.values[key]) && !isSame(asJson, values[key], declared.values[key]),
    );
    return encode(values, [...secrets, ...declared.secrets, ...kept]);
  }

  /** The outputs of a state. With the dynamic form's provider among them, so that it can take the resource over. */
  #outputs(resource: HostedResource<Planning, Service>, state: Bag, declared: Decoded, old?: Decoded) {
    const { definition, derive } = resource;
    const outputs = { ...state, ...(hasUnknown(state) ? {} : derive?.(state)) };
    return this.#encode(resource, { ...outputs, [providerKey]: storedProvider(this.#own, definition) }, declared, old);
  }

  /** A failure that leaves an object behind is one that the engine keeps. */
  async #keeping<T>(
    resource: HostedResource<Planning, Service>,
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
