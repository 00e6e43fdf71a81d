import { type AnnotationRecord, type AnnotationSpec, isApiError } from "../../sdk";
import { canonicalInstant, compareInstants } from "../../sdk/instant";
import { asInstant, asSet, asText, changedKeys, pick } from "./compare";
import { checkFields, instant, nonEmptyTextList, text } from "./fields";
import { type CheckFailure, hasUnknown, type Lifecycle, type Unchecked } from "./lifecycle";

/** What an annotation is declared with. */
export interface AnnotationInputs extends AnnotationSpec {
  readonly datasets: readonly string[];
}

/** What is recorded of an annotation. */
export interface AnnotationState extends AnnotationInputs {
  /** The service that the annotation lives on; its presence tells a recorded annotation from one that never was. */
  readonly baseUrl?: string;
}

const comparisons = {
  datasets: asSet,
  title: asText,
  description: asText,
  type: asText,
  time: asInstant,
  endTime: asInstant,
  url: asText,
} as const;

const specKeys = Object.keys(comparisons) as (keyof typeof comparisons)[];

const rules = {
  datasets: nonEmptyTextList,
  title: text,
  description: text,
  type: text,
  time: instant,
  endTime: instant,
  url: text,
};

export const annotation: Lifecycle<AnnotationInputs, AnnotationState> = {
  check(_olds, news) {
    const failures = checkFields(rules, news);
    if (news.datasets === undefined) failures.push({ property: "datasets", reason: "is missing" });
    if (failures.length === 0) failures.push(...rangeFailures(news));
    return { inputs: news as unknown as AnnotationInputs, failures };
  },

  // The documented interface has no update: a change makes another annotation. A time that was left out is the moment of
  // creation and stays that.
  diff(_id, state, inputs) {
    const declared = inputs.time === undefined ? { ...state, time: undefined } : state;
    const replaces = changedKeys(comparisons, declared, inputs);
    return { changes: replaces.length > 0 || hasUnknown(inputs), replaces };
  },

  async create({ client, now }, inputs) {
    const spec = { ...pick(inputs, specKeys), time: inputs.time ?? now().toISOString() };
    let made: AnnotationRecord;
    try {
      made = await client.annotations.create(inUtc(spec));
    } catch (e) {
      if (!isApiError(e) || e.outcome !== "unknown") throw e;
      throw new Error(`${e.message}. The annotation may exist${e.id ? ` (id ${e.id})` : ""}; it was not sent again.`, {
        cause: e,
      });
    }
    return { id: made.id, state: { ...spec, baseUrl: client.baseUrl } };
  },

  // The documented interface cannot read an annotation, so this reports what was recorded.
  async read(_session, id, state) {
    if (state.baseUrl === undefined || state.datasets === undefined) {
      throw new Error(
        `annotation ${id} cannot be looked up: the documented interface has no way to read an annotation.`,
      );
    }
    return { state: state as AnnotationState };
  },

  async update(_session, _id, state, inputs) {
    return { ...state, ...pick(inputs, specKeys) };
  },

  // Annotations are history: the documented interface has no way to delete one, so it is forgotten.
  async delete() {},
};

function rangeFailures({ time, endTime }: Unchecked): CheckFailure[] {
  if (typeof time !== "string" || typeof endTime !== "string") return [];
  const [from, to] = [canonicalInstant(time), canonicalInstant(endTime)];
  return from && to && compareInstants(to, from) < 0
    ? [{ property: "endTime", reason: "must not be before time" }]
    : [];
}

/** The request: instants in UTC with "Z". */
function inUtc({ time, endTime, ...rest }: AnnotationSpec): AnnotationSpec {
  return {
    ...rest,
    ...(time ? { time: canonicalInstant(time) ?? time } : {}),
    ...(endTime ? { endTime: canonicalInstant(endTime) ?? endTime } : {}),
  };
}
