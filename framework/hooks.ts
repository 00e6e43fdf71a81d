import { withDiscretion } from "../values/discretion";
import { asJson, asSet, isSame, pick } from "./compare";
import {
  argumentsOf,
  changedInputs,
  judgeInputs,
  mayReplace,
  type ResourceDefinition,
  withoutHints,
} from "./definition";
import { recordableText } from "./engineValues";
import type { Asked, Host, HostedResource } from "./host";
import { type Hints, hasSecretInput, isSecretInput, keepSecrets } from "./identity";
import { mark, reasonIncomplete, repeatedAsUpdate, withMark } from "./incomplete";
import {
  type Bag,
  type Checked,
  type CheckFailure,
  isPartialCreate,
  type Plan,
  type PlannedChange,
  type Replaced,
  type Session,
  type Tell,
  UncertainCreate,
} from "./lifecycle";
import { dropNulls } from "./shapes";
import { hasUnknown, notKnown } from "./unknown";
import { scopeOf } from "./update";

/** A planned change; in a refresh `drifted` names the arguments that the read found changed. */
type Difference = PlannedChange & { readonly drifted?: readonly string[] | undefined };

/** The hooks of one kind of resource, for every adapter: plain values in, plain values out. */
export class Hooks {
  readonly resource: HostedResource;
  readonly #host: Host;
  /** The changed arguments of each object that the last read found changed. */
  readonly #drifted = new Map<string, readonly string[]>();

  constructor(resource: HostedResource, host: Host) {
    this.resource = resource;
    this.#host = host;
  }

  /** Completes the inputs, and finds the reasons why they cannot be used, one sentence each. */
  async check(
    olds: Bag | undefined,
    news: Bag,
    tell: Tell,
    asked: Asked = {},
  ): Promise<{ readonly inputs: Bag; readonly reasons: readonly string[] }> {
    const { definition, lifecycle } = this.resource;
    const host = this.#host;
    const [old, given] = [olds && dropNulls(olds), dropNulls(news)];
    const plan = host.plan(definition.name, given.key, asked);
    const { inputs, failures, findMore, warnings, notes } = checkInputs(this.resource, old, given, plan);
    const isNew = Object.keys(old ?? {}).length === 0;
    const lost = isNew ? this.#replacing(host.update.findLostRemediations(this.#scope(given), inputs)) : [];
    host.update.declare(this.#scope(given), inputs);
    const forbidden = host.connection.refuse?.(definition, inputs, plan) ?? [];
    const found = [...failures, ...forbidden, ...lost.map(describeLostRemediation)];
    await host.tellOnce(tell, "warn", warnings);
    await host.tellOnce(tell, "inform", notes);
    const more = found.length === 0 && findMore ? await findMore() : [];
    const unusable = [...found, ...more].map(({ property, reason }) => `${property} ${reason}`);
    const reasons = [...unusable, ...host.connection.problems];
    // The diff of an object that is there verifies it.
    if (reasons.length === 0 && isNew) {
      const session = host.session(definition.name, given.key, tell);
      const doubt = await host.connection.doubt?.(session);
      await host.tellOnce(tell, "warn", [doubt, ...((await lifecycle.verify?.(session, inputs)) ?? [])]);
    }
    return { inputs, reasons };
  }

  /**
   * Outside an update, as in a refresh, the result only says whether the preceding read found a change.
   * @param recorded the state: only an update needs it
   * @throws Error for inputs that cannot be reached from this state
   */
  async diff(id: string, recorded: () => Bag, inputs: Bag, tell: Tell): Promise<Difference> {
    const host = this.#host;
    const { definition, lifecycle } = this.resource;
    const declared = inputs as Hints & Bag;
    const [kind, scope] = [definition.name, this.#scope(declared)];
    const drifted = this.#drifted.get(id);
    // If an upstream resource has `deleteBeforeReplace`, the engine asks before the check, and deletes whatever is to be replaced.
    if (!host.update.isDeclared(scope))
      return { changes: drifted !== undefined || hasUnknown(declared), replaces: [], drifted };
    const before = recorded() as Hints & Bag;
    const plan = host.plan(kind, declared.key);
    const remediated = this.#replacing(host.update.noteRemediated(scope, declared));
    const difference = this.#planCompletion(id, before, lifecycle.diff(id, before, declared, plan));
    // A comparison skips unknown values, and each of them can become a change.
    const changes = difference.changes || isMoreSecret(before, declared) || hasUnknown(declared);
    const change = { ...difference, changes };
    if (!plan.claim(id))
      throw new Error(`${kind} ${id} also belongs to another resource of this update: only one can have it.`);
    const isConnected = host.connection.problems.length === 0;
    const session = isConnected && host.session(kind, declared.key, tell);
    const doubts = (session && (await lifecycle.verify?.(session, declared, { id, state: before, change }))) || [];
    // A diff that fails has planned nothing.
    host.update.noteDiff(kind, scope, { id, state: before }, difference);
    // A create that took over its own object, and died, left a deletion of it pending.
    if (!changes) host.update.noteKept(scopeOf(kind, id), scope);
    const isAtRisk = difference.replaces.length === 0 && remediated.length > 0;
    const risk =
      isAtRisk &&
      `${kind} ${id}: a policy pack changed ${remediated.join(", ")}. A replacement will be refused, because ${asProgramDeclares}: declare the values that the policy pack requires.`;
    await host.tellOnce(tell, "warn", [difference.notice, ...doubts, risk]);
    return change;
  }

  /** Selects the inputs whose change may replace the object. A lost remediation of any other input is repeated in place. */
  #replacing(keys: readonly string[]): readonly string[] {
    const { properties } = this.resource.definition;
    return keys.filter((key) => mayReplace(properties[key] ?? {}, this.#host.connection.planning ?? {}));
  }

  create(inputs: Bag, tell?: Tell): Promise<{ readonly id: string; readonly state: Bag }> {
    const { definition, lifecycle } = this.resource;
    const { update } = this.#host;
    const replaced = update.findReplaced(this.#scope(inputs)) as Replaced<Hints & Bag> | undefined;
    if (replaced) update.noteEnding(replaced.id);
    return this.#run(tell, [inputs, replaced?.state ?? {}], (session) =>
      update.once(definition.name, inputs, async () => {
        const { id, state, plans } = await lifecycle
          .create(session, inputs as Hints & Bag, replaced)
          .catch((failure) => {
            if (isPartialCreate(failure)) requireId(definition, failure.id);
            throw withMark(failure, inputs);
          });
        if (replaced) update.notePlans(definition.name, this.#scope(inputs), replaced.state, plans);
        if (replaced && replaced.id !== id) update.noteReplaced(scopeOf(definition.name, replaced.id));
        // Now no other resource of this update can take it over, and a deletion of the object before it leaves it alone.
        update.noteKept(scopeOf(definition.name, id), this.#scope(inputs));
        return { id: requireId(definition, id), state: keepSecrets(inputs, state) };
      }),
    );
  }

  /** @returns without `inputs` if the object is as it was recorded */
  async read(id: string, state: Bag, tell?: Tell): Promise<{ readonly inputs?: Bag; readonly state: Bag } | undefined> {
    const words = reasonIncomplete(state);
    if (words !== undefined) {
      // Not looked up, since its id can be a placeholder. A failure here would fail each refresh.
      await (tell ?? this.#host.tell).warn(this.#describeIncomplete(id, words));
      return { state };
    }
    const { definition, lifecycle } = this.resource;
    const live = await this.#run(tell, [state], (session) => lifecycle.read(session, id, state));
    const isMadeAnew = live !== undefined && live.state !== state;
    const found = isMadeAnew
      ? { state: keepSecrets(state, live.state), ...(live.inputs && { inputs: keepSecrets(state, live.inputs) }) }
      : live;
    const isChanged = found?.inputs !== undefined && !isSame(asJson, found.state, state);
    this.#drifted.delete(id);
    // A lookup or an import has nothing recorded.
    if (isChanged && Object.keys(withoutHints(definition, state)).length > 0)
      this.#drifted.set(id, changedInputs(definition, argumentsOf(definition), state, found.state));
    return found && !isChanged ? { state: found.state } : found;
  }

  update(id: string, state: Bag, inputs: Bag, tell?: Tell): Promise<Bag> {
    const { definition, lifecycle } = this.resource;
    const words = reasonIncomplete(state);
    // Before any request: a hook `onError` of the program can repeat it 99 times.
    if (words !== undefined) return Promise.reject(repeatedAsUpdate(id, state, words));
    return this.#run(tell, [inputs, state], (session) =>
      this.#host.update.once(`${definition.name} ${id}`, { state, inputs }, async () => {
        const next = await lifecycle.update(session, id, state as Hints & Bag, inputs as Hints & Bag);
        this.#host.update.noteKept(scopeOf(definition.name, id), this.#scope(inputs));
        return keepSecrets(state, next);
      }),
    );
  }

  async delete(id: string, state: Bag, tell?: Tell): Promise<void> {
    const { definition, lifecycle } = this.resource;
    const { update } = this.#host;
    const [object, scope] = [scopeOf(definition.name, id), this.#scope(state)];
    await this.#run(tell, [state], (session) => {
      if (update.isInUse(object, scope))
        return session.warn(`${definition.name} ${id} is left alone, because another resource of this update has it.`);
      update.noteEnding(id);
      return lifecycle.delete(session, id, state as Hints & Bag, update.findPlanned(object, scope));
    });
  }

  /** An object that a failed create left behind is always replaced, whatever the lifecycle finds. */
  #planCompletion(id: string, state: Bag, difference: PlannedChange): PlannedChange {
    const words = reasonIncomplete(state);
    if (words === undefined) return difference;
    const { notice = this.#describeIncomplete(id, words), replaces } = difference;
    return { ...difference, changes: true, replaces: [...new Set([...replaces, mark])], notice };
  }

  #describeIncomplete = (id: string, words: string): string =>
    `${this.resource.definition.name} ${id} is not complete, and the next "pulumi up" replaces it. Its create failed: ${words}`;

  #scope({ key }: Bag): string {
    return scopeOf(this.resource.definition.name, key);
  }

  async #run<T>(tell: Tell | undefined, values: readonly Partial<Hints>[], hook: (session: Session) => Promise<T>) {
    const session = this.#host.session(this.resource.definition.name, values[0]?.key, tell);
    // If inputs are secret, no message may repeat what the service says.
    return await (hasSecretInput(...values) ? withDiscretion(() => hook(session)) : hook(session));
  }
}

/**
 * Checks inputs by their definition and by the lifecycle. If the definition refuses an input, the lifecycle sees it as unknown.
 */
export function checkInputs(
  { definition, lifecycle }: HostedResource,
  olds: Bag | undefined,
  news: Bag,
  plan: Plan,
): Checked<Hints & Bag> {
  const refused = judgeInputs(definition, news);
  const malformed = Object.fromEntries(
    refused.map(({ property }) => [property.split(".", 1).join(), notKnown] as const).filter(([key]) => key in news),
  );
  const checked = lifecycle.check(olds, { ...news, ...malformed }, plan);
  const inputs = { ...checked.inputs, ...pick(news, Object.keys(malformed)) };
  if (refused.length > 0) return { inputs, failures: [...refused, ...checked.failures] };
  return { ...checked, inputs };
}

const asProgramDeclares = "the engine creates a replacement from the inputs that the program declares";

/** Without this failure, each update would find the remediated input changed and replace the object again. */
const describeLostRemediation = (property: string): CheckFailure => ({
  property,
  reason: `was changed by a policy pack, and that change would be lost: ${asProgramDeclares}. Declare the value that the policy pack requires.`,
});

/** @throws UncertainCreate that names an id that cannot be recorded: the object exists, and nothing can track it */
function requireId({ name }: ResourceDefinition, id: string): string {
  if (id !== "" && id === recordableText(id)) return id;
  throw new UncertainCreate(
    `${name} was created with the id ${JSON.stringify(id)}, which the engine cannot record. It exists, but no state tracks it: delete it at the service.`,
  );
}

/** Whether values that are recorded in plain text are secrets now: they are recorded again. */
const isMoreSecret = (before: Hints, declared: Hints): boolean =>
  !isSame(asSet, before.secretInputs, declared.secretInputs) &&
  (declared.secretInputs ?? []).some((name) => !isSecretInput(before, name));
