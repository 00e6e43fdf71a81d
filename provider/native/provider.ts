import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { CheckFailure } from "@pulumi/pulumi/proto/provider_pb";
import schema from "../../schema.json";
import { suggestName } from "../../sdk/values/nearestName";
import { providerKey, storedProvider } from "../dynamic/strings";
import { asJson, isSame } from "../lifecycle/compare";
import { hasUnknown, unknown } from "../lifecycle/contract";
import type { Connection, Tell } from "../session/connection";
import { Hooks } from "../session/hooks";
import type { EngineLog } from "./engineLog";
import { toServiceError } from "./failures";
import { placeOf } from "./place";
import { type Definition, definitions, nameOfType } from "./resources";
import { type Bag, type Decoded, decode, encode } from "./values";

/** A kind of resource in this process. */
interface Served extends Definition {
  readonly type: keyof typeof schema.resources;
  readonly hooks: Hooks<Bag, Bag>;
}

/** The lifecycles' hooks as the engine calls them. Only translates: messages, secrets, unknown values, failures. */
export class ResourceHooks {
  readonly #kinds: ReadonlyMap<string, Served>;
  readonly #log: EngineLog;
  /** The resources that are being imported: they were read without a state. */
  readonly #imported = new Set<string>();

  constructor(connection: Connection, log: EngineLog) {
    this.#log = log;
    const kinds = Object.entries(definitions);
    this.#kinds = new Map(
      kinds.map(([name, kind]) => {
        const type = `event-datasets:index:${name}` as Served["type"];
        return [name, { ...kind, type, hooks: new Hooks(kind.lifecycle, connection) }];
      }),
    );
  }

  async check(request: messages.CheckRequest): Promise<messages.CheckResponse> {
    const { kind, urn, tell } = this.#about(request);
    const [given, old] = [decode(request.getNews()), decode(request.getOlds())];
    const problems = [
      ...unknownArguments(kind.type, given.values, old.values),
      ...(kind.problems?.(given.values) ?? []),
    ];
    if (problems.length > 0) return checked(request.getNews(), problems);
    const olds = withoutProvider(old.values);
    const declared = { ...given, values: withoutProvider(given.values) };
    const made = await kind.make(declared, placeOf(urn, tell.warn));
    const asked = { seed: request.getRandomseed_asU8(), urn };
    const { inputs, reasons } = await kind.hooks.check(olds, made, tell, asked);
    return checked(encode(inputs, secretsOf(kind, inputs, declared, old)), reasons);
  }

  async diff(request: messages.DiffRequest): Promise<messages.DiffResponse> {
    const { kind, urn, tell } = this.#about(request);
    const [state, old, inputs] = [request.getOlds(), request.getOldInputs(), request.getNews()].map((message) =>
      withoutProvider(decode(message).values),
    ) as [Bag, Bag, Bag];
    const { changes: differs, replaces } = await kind.hooks.diff(request.getId(), state, inputs, tell, { urn });
    const changes = differs || kind.isStale?.(state, inputs) === true;
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
      const difference = new messages.PropertyDiff()
        .setKind(messages.PropertyDiff.Kind[kindOf])
        .setInputdiff(edited.includes(key));
      response.getDetaileddiffMap().set(key, difference);
    }
    return response.setHasdetaileddiff(keys.length > 0).setDiffsList(keys);
  }

  async create(request: messages.CreateRequest): Promise<messages.CreateResponse> {
    const { kind, tell } = this.#about(request);
    const declared = decode(request.getProperties());
    if (request.getPreview()) {
      const state = { ...unknowns(kind.computed), ...declared.values };
      return new messages.CreateResponse().setProperties(outputsOf(kind, state, declared));
    }
    return this.#keeping(kind, declared, decode(undefined), async (outputs) => {
      const { id, state } = await kind.hooks.create(declared.values, tell);
      return new messages.CreateResponse().setId(id).setProperties(outputs(state));
    });
  }

  async read(request: messages.ReadRequest): Promise<messages.ReadResponse> {
    const { kind, urn, tell } = this.#about(request);
    const id = request.getId();
    const [recorded, inputs] = [decode(request.getProperties()), decode(request.getInputs())];
    const state = withoutProvider(recorded.values);
    const isNew = Object.keys(state).length === 0;
    const live = await kind.hooks.read(id, state, tell);
    if (!live) return new messages.ReadResponse();
    if (isNew) this.#imported.add(urn);
    if (isNew && kind.onImport) await tell.inform(`${id}: ${kind.onImport}`);
    const known = { ...recorded, secrets: [...recorded.secrets, ...inputs.secrets] };
    const found = live.inputs ?? withoutProvider(inputs.values);
    return new messages.ReadResponse()
      .setId(id)
      .setProperties(outputsOf(kind, live.state, known))
      .setInputs(encode(found, secretsOf(kind, found, known)));
  }

  async update(request: messages.UpdateRequest): Promise<messages.UpdateResponse> {
    const { kind, tell } = this.#about(request);
    const declared = decode(request.getNews());
    const old = decode(request.getOlds());
    const state = withoutProvider(old.values);
    if (request.getPreview()) {
      const dropped = Object.keys(decode(request.getOldInputs()).values).filter((key) => !(key in declared.values));
      const kept = Object.fromEntries(Object.entries(state).filter(([key]) => !dropped.includes(key)));
      const next = { ...kept, ...declared.values, ...unknowns(kind.renewed?.(declared.values) ?? []) };
      return new messages.UpdateResponse().setProperties(outputsOf(kind, next, declared, old));
    }
    return this.#keeping(kind, declared, old, async (outputs) => {
      const next = await kind.hooks.update(request.getId(), state, declared.values, tell);
      return new messages.UpdateResponse().setProperties(outputs(next));
    });
  }

  async delete(request: messages.DeleteRequest): Promise<void> {
    const { kind, tell } = this.#about(request);
    await kind.hooks.delete(request.getId(), withoutProvider(decode(request.getProperties()).values), tell);
  }

  #about(request: { getUrn(): string }): { readonly kind: Served; readonly urn: string; readonly tell: Tell } {
    const urn = request.getUrn();
    const type = urn.split("::")[2]?.split("$").at(-1) ?? "";
    const kind = this.#kinds.get(nameOfType(type));
    if (!kind) throw new Error(`there is no resource ${type}; there are ${[...this.#kinds.keys()].join(", ")}`);
    return { kind, urn, tell: this.#log.about(urn) };
  }

  /** A failure that leaves an object behind is one that the engine keeps. */
  async #keeping<T>(
    kind: Served,
    declared: Decoded,
    old: Decoded,
    hook: (outputs: (state: object) => ReturnType<typeof encode>) => Promise<T>,
  ): Promise<T> {
    const outputs = (state: object) => outputsOf(kind, state as Bag, declared, old);
    try {
      return await hook(outputs);
    } catch (failure) {
      const inputs = encode(declared.values, secretsOf(kind, declared.values, declared));
      throw toServiceError(failure, { outputs, inputs });
    }
  }
}

const unknowns = (keys: readonly string[]): Bag => Object.fromEntries(keys.map((key) => [key, unknown]));

/**
 * By the schema, which knows nothing of the inputs that are made here. With `ignoreChanges: ["*"]` the engine hands those over as
 * declared, as they were recorded; whatever was recorded beside the arguments was made, so it is nobody's mistake.
 */
const unknownArguments = (type: Served["type"], values: Bag, olds: Bag): string[] => {
  const known = Object.keys(schema.resources[type].inputProperties);
  const isCopied = (key: string) => values[key] !== undefined && isSame(asJson, values[key], olds[key]);
  const others = Object.keys(values).filter((key) => !known.includes(key) && !isCopied(key));
  return others.map((key) => `${key} is not known${suggestName(key, known) || `; the inputs are ${known.join(", ")}`}`);
};

/** An import takes over what is there; a replacement at once would make another in its place. */
const describeImport = (id: string, keys: readonly string[]): string =>
  `${id} is not imported: it differs from what is declared in ${keys.join(", ")}. Declare what is live, import, and change it afterwards.`;

// For a failure with a property the engine prints the property's value, also where that is a secret.
const checked = (
  inputs: messages.CheckResponse["getInputs"] extends () => infer I ? I : never,
  reasons: readonly string[],
) =>
  new messages.CheckResponse()
    .setInputs(inputs)
    .setFailuresList(reasons.map((reason) => new CheckFailure().setReason(reason)));

/**
 * The names of what must be encrypted: always, by the program, by what is recorded of an earlier program, or because it
 * is an earlier value that was. What the program itself says in plain text is no secret any more.
 */
const secretsOf = (kind: Definition, values: Bag, declared: Decoded, old: Decoded = decode(undefined)): string[] => [
  ...(kind.secrets?.(values) ?? []),
  ...(kind.lifecycle.derivedSecrets?.(values) ?? []),
  ...declared.secrets,
  ...((values.secretInputs as string[] | undefined) ?? []),
  ...old.secrets.filter(
    (key) => isSame(asJson, values[key], old.values[key]) && !isSame(asJson, values[key], declared.values[key]),
  ),
];

/** The outputs of a state. With the dynamic form's provider among them, so that it can take the resource over. */
function outputsOf(kind: Served, state: Bag, declared: Decoded, old?: Decoded) {
  const values = { ...state, ...(hasUnknown(state) ? {} : kind.derive?.(state)) };
  return encode({ ...values, [providerKey]: storedProvider(kind.dynamic) }, secretsOf(kind, values, declared, old));
}

/** The properties of a resource that the dynamic form had before, without its provider. */
function withoutProvider(values: Bag): Bag {
  const { [providerKey]: _, ...rest } = values;
  return rest;
}
