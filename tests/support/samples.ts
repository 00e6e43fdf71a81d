import { argumentsOf, type ResourceDefinition } from "../../framework/definition";
import type { Bag } from "../../framework/lifecycle";
import {
  boolean,
  duration,
  httpUrl,
  instant,
  names,
  nestedSets,
  nonEmptyText,
  plainShapes,
  type Shape,
  scalars,
  text,
} from "../../framework/shapes";

export const mark = "cnry-51c7a0e9d3";
export const samples = { instant: "2091-02-03T04:05:06Z", duration: "P61Y2M3DT14H35M56S", number: 918273645 };

/** A value of each of these shapes. It can be told from all others, unless it is a known word. */
const values = new Map<Shape, unknown>([
  [text, mark],
  [nonEmptyText, mark],
  [names, [mark]],
  [httpUrl, `https://x.example/${mark}`],
  [scalars, { [mark]: mark }],
  [nestedSets, { [mark]: { query: ["read"] } }],
  [instant, samples.instant],
  [duration, samples.duration],
  [plainShapes.number, samples.number],
  [boolean, true],
]);

/**
 * A value for every argument of a resource.
 * @param own values of the arguments whose shape has none here, or whose value matters
 */
export const sampleArguments = (definition: ResourceDefinition, own: Bag): Bag =>
  Object.fromEntries(
    argumentsOf(definition).map((name) => {
      const value = own[name] ?? values.get(definition.properties[name]?.is as Shape);
      if (value === undefined) throw new Error(`the argument ${name} of ${definition.name} needs a sample of its own`);
      return [name, value];
    }),
  );
