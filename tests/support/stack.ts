import { createDecipheriv, createHash, randomBytes } from "node:crypto";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import type { Workspace } from "./engine";
import { listen } from "./service";

/** One resource as `pulumi stack export` shows it. */
export interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly custom: boolean;
  readonly inputs?: Record<string, unknown>;
  readonly outputs?: Record<string, unknown>;
  readonly parent?: string;
  readonly provider?: string;
  readonly initErrors?: string[];
  readonly [field: string]: unknown;
}

export interface StackExport {
  readonly version: number;
  readonly deployment: {
    readonly resources?: StateResource[];
    readonly pending_operations?: { readonly resource: StateResource; readonly type: string }[];
    readonly [field: string]: unknown;
  };
}

/** Reads the state from the file that the engine wrote: `pulumi stack export` gives out the same. */
export async function readCheckpoint(workspace: Workspace): Promise<StackExport> {
  const { version, checkpoint } = JSON.parse(await readFile(await stateFile(workspace), "utf8"));
  return { version, deployment: checkpoint.latest ?? {} };
}

/**
 * The outputs as `pulumi stack output --json` prints them.
 * @param decrypt by which secrets are shown, as with `--show-secrets`
 */
export function outputsIn(
  { deployment }: StackExport,
  decrypt?: (ciphertext: string) => string,
): Record<string, unknown> {
  const stack = deployment.resources?.find(({ type }) => type === "pulumi:pulumi:Stack");
  return JSON.parse(JSON.stringify(stack?.outputs ?? {}), (_, value) => {
    if (!isEncrypted(value)) return value;
    return decrypt ? JSON.parse(decrypt(value.ciphertext)) : "[secret]";
  });
}

const isEncrypted = (value: unknown): value is { readonly ciphertext: string } =>
  typeof value === "object" && value !== null && "4dabf18193072939515e22adb298388d" in value;

async function projectOf({ program }: Pick<Workspace, "program">): Promise<string> {
  const project = await readFile(path.join(program, "Pulumi.yaml"), "utf8");
  const name = /^name: *"?([\w.-]+)"? *$/m.exec(project)?.[1];
  if (name === undefined) throw new Error(`no name in Pulumi.yaml:\n${project}`);
  return name;
}

/** The file with the stack's state. */
export const stateFile = async (place: Pick<Workspace, "backend" | "program" | "stack">): Promise<string> =>
  path.join(place.backend, ".pulumi", "stacks", await projectOf(place), `${place.stack}.json`);

/** Makes the tokens of a state an hour old: a new one that is not found is not treated as gone. */
export async function ageTokens(place: Parameters<typeof stateFile>[0]): Promise<void> {
  const file = await stateFile(place);
  const age = (time: string) => (Number.parseInt(time, 36) - 3_600).toString(36);
  await writeFile(file, (await readFile(file, "utf8")).replace(/(?<=\|)[0-9a-z]+(?= [0-9a-f]{12}[ "])/g, age));
}

/**
 * Makes an empty stack and selects it, as `pulumi stack init` does: that takes a third of a second of CPU time, and there are 140
 * workspaces. Those whose key comes from a passphrase, and the examples, run the command.
 * @param settings of the stack's key
 */
export async function writeStack(workspace: Workspace, settings: string): Promise<void> {
  const { backend, home, program, stack } = workspace;
  const project = await projectOf(workspace);
  const name = `organization/${project}/${stack}`;
  const selected = createHash("sha1").update(path.join(program, "Pulumi.yaml")).digest("hex");
  const files = {
    [path.join(backend, ".pulumi", "meta.yaml")]: "version: 1\n",
    [await stateFile(workspace)]: JSON.stringify({ version: 3, checkpoint: { stack: name } }),
    [path.join(home, "workspaces", `${project}-${selected}-workspace.json`)]: JSON.stringify({
      stack: name, // read by engines that do not know `stacks`, such as 3.216
      stacks: { [`file://${backend}`]: name },
    }),
  };
  for (const [file, content] of Object.entries(files)) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  await appendFile(path.join(program, `Pulumi.${stack}.yaml`), settings);
}

/** The stack's secrets provider, as `pulumi stack init --secrets-provider` takes it. */
export const keyProvider = "hashivault://tests";

const wrapping = "vault:v1:";

/** The service with which the engine wraps and unwraps a stack's key. */
export interface KeyService extends AsyncDisposable {
  /** The lines of a stack's settings with its wrapped key, as the engine writes them. */
  readonly settings: string;
  /** By which the engine finds it. */
  readonly env: Readonly<Record<string, string>>;
  /** Decrypts what the engine encrypted with the stack's key. */
  decrypt(ciphertext: string): string;
}

/**
 * The two requests that the engine sends to a Vault's transit engine. It keeps nothing: the stack has its wrapped key. Secrets in the
 * state are encrypted as with a passphrase, but no key is derived from one. This saves a seventh of the CPU time of a suite (drift and
 * adoption: 28 instead of 33 s).
 */
export async function startKeyService(): Promise<KeyService> {
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { plaintext, ciphertext } = JSON.parse(text || "{}");
    const data = request.url?.includes("/encrypt/")
      ? { ciphertext: `${wrapping}${plaintext}` }
      : { plaintext: String(ciphertext).slice(wrapping.length) };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ data }));
  });
  const port = await listen(server);
  const stackKey = randomBytes(32);
  const key = `${wrapping}${stackKey.toString("base64")}`;
  return {
    settings: `secretsprovider: ${keyProvider}\nencryptedkey: ${Buffer.from(key).toString("base64")}\n`,
    env: { VAULT_ADDR: `http://127.0.0.1:${port}`, VAULT_TOKEN: "of the tests" },
    decrypt(ciphertext) {
      const [, nonce = "", sealed = ""] = ciphertext.split(":");
      const bytes = Buffer.from(sealed, "base64");
      const decipher = createDecipheriv("aes-256-gcm", stackKey, Buffer.from(nonce, "base64"));
      decipher.setAuthTag(bytes.subarray(-16));
      return decipher.update(bytes.subarray(0, -16), undefined, "utf8") + decipher.final("utf8");
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
