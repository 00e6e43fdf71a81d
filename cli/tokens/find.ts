import { parseJson } from "../../audit/jsonFile";
import { tokenResources } from "../../audit/state";
import { fingerprintOf } from "../../values/fingerprint";
import { isObject } from "../../values/json";
import { backendAt, findBackend } from "../auditBackend";
import { exportJson, labelOf } from "../auditSources";
import { visitStacks } from "../auditStacks";
import type { Command } from "../command";
import { say } from "../text";

/** Prints which resource has a secret. The secret stays in this process: it is compared here, and never printed. */
export const findTokens: Command<"tokens find"> = {
  async run(values, io) {
    if (process.stdin.isTTY)
      throw new Error('the secret is read from standard input: printf %s "$leaked" | … tokens find');
    const secret = bareSecret(await io.readInput());
    if (secret === "") throw new Error("standard input has no secret");
    const urls = values.backend;
    const backends = urls.length === 0 ? [await findBackend(io)] : urls.map((url) => backendAt(url, io.env));
    let found = 0;
    let unread = 0;
    for (const backend of backends) {
      await visitStacks(backend, io, async ({ name }) => {
        try {
          const state = await exportJson(name, backend, "--show-secrets");
          for (const resource of tokenResources(state, labelOf(name))) {
            const old = replacedWith(resource.outputs, secret);
            if (!old && !holdsSecret(resource.outputs, secret)) continue;
            found += 1;
            io.print(say`stack ${name}`);
            io.print(say`  URN   ${String(resource.urn)}`);
            io.print(say`  id    ${String((old ?? resource).id)}`);
            io.print(say`  name  ${String(plainValue(memberOf(resource.outputs, "name")) ?? "unknown")}`);
            if (old)
              io.print(say`  it was replaced by ${String(resource.id)}, whose name this is, and may still be valid`);
            if (resource.delete === true) io.print(say`  it was replaced, and its deletion did not succeed yet`);
          }
        } catch (failure) {
          unread += 1;
          io.warn(say`${(failure as Error).message}`);
        }
      });
    }
    if (found > 0) return 0;
    io.warn(unread > 0 ? say`not found, but ${unread} of the stacks could not be read` : say`no stack has this secret`);
    return unread > 0 ? 2 : 1;
  },
};

/** The secret in a copied line: without spaces, quotes and `Bearer` around it. */
function bareSecret(text: string): string {
  const unquote = (quoted: string) => quoted.replace(/^[\s"'`]+|[\s"'`]+$/g, "");
  return unquote(unquote(text).replace(/^Bearer\s+/i, ""));
}

const memberOf = (object: unknown, key: string): unknown => (isObject(object) ? object[key] : undefined);

/** A value as the engine exports it with --show-secrets: a secret is an object with its JSON. */
function plainValue(value: unknown): unknown {
  const plaintext = memberOf(value, "plaintext");
  return typeof plaintext === "string" ? parseJson(plaintext, "a secret") : value;
}

/** A sealed secret is recorded by its fingerprint only. */
const holdsSecret = (outputs: unknown, secret: string): boolean =>
  plainValue(memberOf(outputs, "token")) === secret ||
  plainValue(memberOf(outputs, "fingerprint")) === fingerprintOf(secret);

/** The token with this secret that a resource has replaced; its successor records the fingerprint. */
function replacedWith(outputs: unknown, secret: string) {
  const replaced = plainValue(memberOf(plainValue(memberOf(outputs, "record")), "replaced"));
  const wanted = fingerprintOf(secret);
  return Array.isArray(replaced)
    ? replaced.filter(isObject).find(({ fingerprint }) => fingerprint === wanted)
    : undefined;
}
