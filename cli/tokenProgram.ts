import type { Token } from "../sdk";
import { readExpiry } from "../values/expiry";
import { jsonText, type Printable, showSource } from "./text";

/**
 * A TypeScript program that declares tokens exactly as they are and adopts them. Everything that came from the service
 * is printed as a string literal, so that no name or description can become code.
 */
export function printProgram(tokens: readonly Token[]): Printable {
  const names = new Set<string>();
  const resources = tokens.map((token) => {
    const { id, name, description, datasetCapabilities, orgCapabilities, viewCapabilities } = token;
    const expiresAt = readExpiry(token.expiresAt).kind === "never" ? undefined : token.expiresAt;
    const logicalName = makeUnique(name, id, names);
    const args = {
      name,
      description,
      expiresAt,
      datasetCapabilities,
      orgCapabilities,
      viewCapabilities,
      adopt: { id },
    };
    return `new ApiToken(${literalOf(logicalName)}, ${sourceOf(args, "")});\n`;
  });
  return showSource(`import { ApiToken } from "pulumi-event-datasets";\n\n${resources.join("\n")}`.trimEnd());
}

/** The token's name as the resource's, made unique by its id. */
function makeUnique(name: string, id: string, taken: Set<string>): string {
  const logicalName = name === "" || taken.has(name) ? `${name}-${id}` : name;
  taken.add(logicalName);
  return logicalName;
}

const width = 100;

/** A value as source text, on one line where it fits. */
function sourceOf(given: unknown, indent: string): string {
  if (typeof given === "string") return literalOf(given);
  if (typeof given !== "object" || given === null) return JSON.stringify(given);
  const [open, close] = Array.isArray(given) ? ["[", "]"] : ["{", "}"];
  const inner = `${indent}  `;
  const members = Array.isArray(given)
    ? given.map((member) => sourceOf(member, inner))
    : Object.entries(given)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => `${keyOf(key)}: ${sourceOf(member, inner)}`);
  if (members.length === 0) return open + close;
  const pad = Array.isArray(given) ? "" : " ";
  const line = `${open}${pad}${members.join(", ")}${pad}${close}`;
  if (indent !== "" && indent.length + line.length <= width && !line.includes("\n")) return line;
  return `${open}\n${members.map((member) => `${inner}${member},\n`).join("")}${indent}${close}`;
}

/** Escapes what a terminal or an editor would act on, too. */
const literalOf = (text: string): string => jsonText(text);

/** `__proto__: x` would set the prototype; `["__proto__"]: x` is a key like any other. */
const keyOf = (key: string): string =>
  key === "__proto__" ? `["__proto__"]` : /^[A-Za-z_$][\w$]*$/.test(key) ? key : literalOf(key);
