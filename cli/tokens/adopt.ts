import { tiesOf } from "../../audit/holders";
import type { Token } from "../../sdk";
import { isNever } from "../../values/expiry";
import type { Command } from "../command";
import { connect } from "../connection";
import { count, jsonText, type Line, type Printable, say, showSource } from "../text";
import { readClaims } from "./claims";
import { selectLive } from "./list";

/**
 * Prints a program that declares live tokens and adopts them. It leaves out declared tokens, because two stacks would manage
 * them; replaced tokens, because their consumers have the secret of the successor; and tokens that no program can declare as
 * they are.
 * @throws Error if no token is left
 */
export const adoptTokens: Command<"tokens adopt"> = {
  async run(values, io) {
    const { print, warn } = io;
    await using client = connect(io);
    const { claims } = await readClaims(values, io);
    if (claims.doubts.length > 0) warn(say`tokens of stacks that could not be read are printed as well`);
    const selected = await selectLive(client, values, io);
    if (selected.length === 0) throw new Error(`no live token on ${client.baseUrl} matches`);
    const wanted = selected.filter((token) => {
      const tie = [...tiesOf(token.id, claims)].find(({ is }) => is !== "used");
      const obstacle = tie?.words ?? describeForm(token);
      if (obstacle) warn(say`left out: ${token.id}: ${obstacle}`);
      return !obstacle;
    });
    if (wanted.length === 0) throw new Error("nothing to adopt: all of these tokens were left out");
    print(printProgram(wanted));
    warn(say`${count(wanted.length, "token")} printed; adopt with "pulumi up", then remove the adopt lines`);
    return 0;
  },
};

/** Describes the fields that no program can declare as they are; undefined: none. */
const describeForm = ({ odd }: Token): Line | undefined =>
  odd && say`some of its fields cannot be read, so no program can declare them: ${Object.keys(odd).join(", ")}`;

/**
 * A TypeScript program that declares tokens exactly as they are and adopts them. Each text from the service is
 * printed as a string literal or a plain key, so that no name or description can become code.
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
