import { argumentsOf } from "../../framework/definition";
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
import type { ResourceName } from "../../provider/eventDatasets";
import type { Hosted } from "../../provider/shared/account/connection";

/** A resource for the tests of all resources. A new one has a row in `samples`, or this does not compile. */
interface Sample {
  /** Arguments that can be used in every profile. */
  readonly declared: Bag;
  /** A later declaration, which replaces the object where the resource can be replaced. */
  readonly later: Bag;
  /** Other values of arguments, where they are not made from the shape. */
  readonly own?: Bag;
}

/** In every value that `own` has no word for; a number and a commit are those of `marks`. */
const mark = "cnry-51c7a0e9d3";
/** Finds the values of samples that are not known words. */
export const marks = /cnry|2091-02-03|P61Y|age1ql3z7hj|918273645/;

export const samples: Readonly<Record<ResourceName, Sample>> = {
  ApiToken: {
    declared: { expiresAt: "2090-01-01T00:00:00Z", retire: "expire" },
    later: { orgCapabilities: { users: ["create"] } },
    own: {
      rotation: { triggers: { [mark]: mark } },
      retire: "expire",
      adopt: { id: "object-1", token: mark },
      orgCapabilities: { users: ["read"] },
      sealFor: "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p",
    },
  },
  Annotation: {
    declared: { datasets: ["web"], type: "deploy" },
    later: { triggers: { by: 2 } },
    own: { retain: false },
  },
  Dataset: {
    declared: { name: "object-1", deleteEvents: true },
    later: { name: "later" },
    own: { name: mark, retentionDays: 918273645, kind: "otel:logs:v1", adopt: true, deleteEvents: false },
  },
  DeploymentAnnotation: {
    declared: { datasets: ["web"], commit: "0a1b2c3d" },
    later: { title: "later" },
    own: { commit: "918273645abc", per: "run" },
  },
  QueryGate: {
    declared: {
      apl: "['web'] | count",
      startTime: "now-5m",
      endTime: "now",
      expect: { max: 9 },
      every: "1s",
      triggers: { a: 1 },
    },
    later: { triggers: { a: 2 } },
    own: {
      apl: `['web'] | where x != "${mark}" | count`,
      startTime: "now-4m",
      endTime: "now-1s",
      expect: { max: 918273645 },
      every: "2s",
      for: "3s",
      settle: "1s",
      noData: "pass",
      warnings: "fail",
      triggers: { [mark]: mark },
    },
  },
};

/** A value of each of these shapes. It can be told from all others, unless it is a known word. */
const values = new Map<Shape, unknown>([
  [text, mark],
  [nonEmptyText, mark],
  [names, [mark]],
  [httpUrl, `https://x.example/${mark}`],
  [scalars, { [mark]: mark }],
  [nestedSets, { [mark]: { query: ["read"] } }],
  [instant, "2091-02-03T04:05:06Z"],
  [duration, "P61Y2M3DT14H35M56S"],
  [plainShapes.number, 918273645],
  [boolean, true],
]);

/** A value for every argument of a resource. */
export function sampleArguments({ definition }: Hosted): Bag {
  const { own = {} } = samples[definition.name as ResourceName];
  const named = argumentsOf(definition).map((name) => [
    name,
    own[name] ?? values.get(definition.properties[name]?.is as Shape),
  ]);
  const [forgotten] = named.find(([, value]) => value === undefined) ?? [];
  if (forgotten !== undefined) throw new Error(`${definition.name}: the argument ${forgotten} needs a sample`);
  return Object.fromEntries(named);
}
