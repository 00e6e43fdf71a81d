import { parseJson } from "../../audit/jsonFile";
import { isMarked } from "../../audit/recordedToken";
import { isTokenType, readResources } from "../../audit/state";
import { fingerprintOf } from "../../values/fingerprint";
import { isObject } from "../../values/json";
import { backendAt, findBackend } from "../auditBackend";
import { exportJson, labelOf, visitStacks } from "../auditStacks";
import type { Command } from "../command";
import { type Line, say } from "../text";

/** Prints the resources that have a secret. The secret stays in this process: it is compared here, and never printed. */
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
          for (const resource of readResources(state, labelOf(name))) {
            const lines = describeHolder(resource, secret);
            if (lines.length === 0) continue;
            found += 1;
            io.print(say`stack ${name}`);
            io.print(say`  URN   ${String(resource.urn)}`);
            for (const line of lines) io.print(say`  ${line}`);
          }
        } catch (failure) {
          unread += 1;
          io.warn(say`${(failure as Error).message}`);
        }
      });
    }
    if (found > 0) return 0;
    const places = backends.map(({ address }) => address).join(", ");
    io.warn(
      unread > 0
        ? say`not found, but ${unread} of the stacks could not be read`
        : say`no stack of ${places} has this secret; other backends (--backend) and Terraform states were not searched`,
    );
    return unread > 0 ? 2 : 1;
  },
};

type Values = Readonly<Record<string, unknown>>;

/** Describes the token or the value of a resource that is the secret; empty: it has none. */
function describeHolder({ type, id, inputs, outputs, delete: isOld }: Values, secret: string): Line[] {
  if (!isTokenType(type))
    return JSON.stringify([inputs, outputs]).includes(secret)
      ? [say`id    ${String(id ?? "none")}`, say`it is of another type, and its inputs or outputs contain the secret`]
      : [];
  const plain = reveal(outputs);
  const { token, fingerprint, name, record }: Values = isObject(plain) ? plain : {};
  const wanted = fingerprintOf(secret);
  // A successor records the fingerprints of the tokens that it replaced.
  const replaced = isObject(record) && Array.isArray(record.replaced) ? record.replaced.filter(isObject) : [];
  const old = replaced.find((one) => one.fingerprint === wanted);
  // A sealed secret is recorded by its fingerprint only.
  if (!old && token !== secret && fingerprint !== wanted) return [];
  return [
    say`id    ${String((old ?? { id }).id)}`,
    say`name  ${String(name ?? "unknown")}`,
    ...(old ? [say`it was replaced by ${String(id)}, which has this name, and may still be valid`] : []),
    ...(isOld === true ? [say`it was replaced, but its deletion has not succeeded yet`] : []),
  ];
}

/** The secret in a copied line: without spaces, quotes and `Bearer` around it. */
function bareSecret(text: string): string {
  const unquote = (quoted: string) => quoted.replace(/^[\s"'`]+|[\s"'`]+$/g, "");
  return unquote(unquote(text).replace(/^Bearer\s+/i, ""));
}

/** Values as the engine exports them with --show-secrets: a secret is an object with its JSON. */
function reveal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reveal);
  if (!isObject(value)) return value;
  if (isMarked(value) && typeof value.plaintext === "string") return reveal(parseJson(value.plaintext, "a secret"));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, reveal(member)]));
}
