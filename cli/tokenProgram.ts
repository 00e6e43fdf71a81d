import type { Token } from "../sdk";
import { isNever } from "../values/expiry";
import { jsonText, type Printable, showSource } from "./text";

/**
 * A TypeScript program that declares tokens exactly as they are and adopts them. Everything that came from the service
 * is printed as a string literal, so that no name or description can become code.
 */
export function printProgram(tokens: readonly Token[]): Printable {
  const names = new Set<string>();
  const resources = tokens.map((token) => {
    const { id, name, description, datasetCapabilities, orgCapabilities, viewCapabilities } = token;
    const expiresAt = isNever(token.expiresAt) ? undefined : token.expiresAt;
    const logicalName = makeUnique(name, id, names);
    const args = {
      name,
      description,
      expiresAt,
      datasetCapabilities,
      orgCapabilities,
      viewCapabilities,
    };
    const adopt = () => `,\n  adopt: { id: ${jsonText(id)} },\n}`;
    return `new ApiToken(${jsonText(logicalName)}, ${sourceOf(args).replace(/\n}$/, adopt)});\n`;
  });
  return showSource(`import { ApiToken } from "pulumi-event-datasets";\n\n${resources.join("\n")}`.trimEnd());
}

/** The token's name as the resource's, made unique by its id. */
function makeUnique(name: string, id: string, taken: Set<string>): string {
  const logicalName = name === "" || taken.has(name) ? `${name}-${id}` : name;
  taken.add(logicalName);
  return logicalName;
}

/** JSON with plain keys. `__proto__: x` would set the prototype; `["__proto__"]: x` is a key like any other. */
const sourceOf = (value: unknown): string =>
  jsonText(value, 2)
    .replace(/^( +)("__proto__"):/gm, "$1[$2]:")
    .replace(/^( +)"([A-Za-z]\w*)":/gm, "$1$2:");
