import { summaries } from "./aggregations";
import { senseless, unparsable, unsupported } from "./errors";
import { pipelines, queries } from "./operators";
import { rules, terms } from "./rules";
import { expressions } from "./scalars";
import { written } from "./written";

const everyCase = (groups: Readonly<Record<string, readonly (readonly [text: string, ...rest: unknown[]])[]>>) =>
  Object.values(groups).flatMap((group) => group.map(([text]) => text));

/** Every query of the suites, whole. */
export const corpus: readonly string[] = [
  ...queries.map(([apl]) => apl),
  ...[...unparsable, ...unsupported, ...senseless].map(([apl]) => apl),
  ...everyCase(pipelines).map((pipeline) => `logs | ${pipeline}`),
  ...written.map(({ apl }) => apl),
  ...summaries.map(([summary]) => `logs | summarize ${summary}`),
  ...everyCase(rules).map((condition) => `odd | where ${condition}`),
  ...terms.map(([condition]) => `print ${condition}`),
  ...everyCase(expressions).map((expression) => `print ${expression}`),
];
