import { suggestName } from "../../sdk/values/nearestName";

/**
 * Refuses an argument that nobody knows: it would be ignored.
 * @param subject what the arguments are of, as in `getTokens` or `DeploymentAnnotation "deployed"`
 * @throws Error that names it, and the one that was probably meant
 */
export function requireKnownArguments(subject: string, args: object, known: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(known);
  const unknown = Object.keys(args).filter((name) => !names.includes(name));
  if (unknown.length === 0) return;
  const reasons = unknown.map((name) => {
    const suggestion = suggestName(name, names);
    return `argument ${name} is not known${suggestion || `; the arguments are ${names.join(", ")}`}`;
  });
  throw new Error(`${subject}: ${reasons.join("; ")}`);
}
