import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../emulator";
import { environmentOf } from "../../emulator/emulator";
import { EventDatasets, type MintedToken, type TokenSpec } from "../../sdk";
import { createWorkspace, type StateResource, type Workspace, type WorkspaceOptions } from "./engine";
import { findSecrets, type SecretHit } from "./secrets";

/** The system's folder in memory, if it has one: the service waits for the disk after every write. */
const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** The local service on a temporary folder. */
export async function startTemporaryEmulator(options: Partial<EmulatorOptions> = {}): Promise<Emulator> {
  const dataDir = await mkdtemp(join(memory, "service-"));
  const emulator = await startEmulator({ dataDir, ...options });
  const close = async () => {
    await emulator.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return Object.assign(emulator, { [Symbol.asyncDispose]: close });
}

/** A client that may do everything. */
export const clientOf = ({ url, rootToken }: Emulator): EventDatasets =>
  new EventDatasets({ baseUrl: url, accessToken: rootToken, profile: "extended" });

/** A token that no stack manages. */
export async function makeByHand(service: Emulator, spec: TokenSpec): Promise<MintedToken> {
  await using client = clientOf(service);
  return await client.tokens.create(spec);
}

/** A program with the service that it works on. */
export interface Deployment extends AsyncDisposable {
  readonly service: Emulator;
  readonly workspace: Workspace;
  /** The calls that changed something or could have, as "POST /v2/tokens 200", oldest first. */
  writes(): string[];
  /** The resource of a type and logical name, as the state has it. */
  resource(type: string, name: string): Promise<StateResource>;
  /** The status with which the service responds to a token's secret. */
  statusFor(secret: string): Promise<number>;
  /** Every trace of these secrets in the workspace (state, backups, history, logs) and in what was printed. */
  traces(...secrets: readonly string[]): Promise<SecretHit[]>;
}

/** The requests that the documented interface has (4.1 to 4.6). */
const documented =
  /^(POST|GET) \/v2\/tokens$|^GET \/v2\/tokens\/[^/]+$|^POST \/v2\/annotations$|^POST \/v1\/datasets\/(_apl|[^/]+\/query)$/;

/** Whatever a test did: a program in the documented profile has sent nothing else. */
function expectDocumented({ calls }: Emulator): void {
  const others = calls.map(({ method, path }) => `${method} ${path}`).filter((call) => !documented.test(call));
  if (others.length > 0) throw new Error(`requests that are not documented: ${others.join(", ")}`);
}

/** Starts the service in a profile, documented if none is given, and makes a workspace whose environment points to it. */
export async function createDeployment({
  profile = "documented",
  env,
  ...options
}: WorkspaceOptions & Pick<EmulatorOptions, "profile">): Promise<Deployment> {
  const service = await startTemporaryEmulator({ profile });
  const workspace = await createWorkspace({ ...options, env: { ...environmentOf(service), ...env } }).catch(
    async (failure) => {
      await service[Symbol.asyncDispose]();
      throw failure;
    },
  );
  return {
    service,
    workspace,
    writes: () =>
      service.calls
        .filter(({ method }) => method !== "GET")
        .map(({ method, path, status }) => `${method} ${path} ${status}`),
    async resource(type, name) {
      const { deployment } = await workspace.export();
      const found = deployment.resources?.filter(
        ({ urn, delete: old, custom }) => custom !== false && urn.endsWith(`:${type}::${name}`) && !old,
      );
      if (found?.length !== 1 || !found[0]) throw new Error(`the state has ${found?.length} ${type} ${name}`);
      return found[0];
    },
    async statusFor(secret) {
      const headers = { authorization: `Bearer ${secret}` };
      return (await fetch(`${service.url}/v2/tokens`, { headers })).status;
    },
    async traces(...secrets) {
      // The output, without the stack outputs that a test requested in plain text.
      const printed = workspace.commands
        .filter(({ line }) => !line.includes("--show-secrets"))
        .map(({ stdout, stderr }) => stdout + stderr)
        .join("\n");
      return findSecrets({ folders: [workspace.root], texts: { printed } }, secrets);
    },
    async [Symbol.asyncDispose]() {
      await workspace[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
      if (profile === "documented") expectDocumented(service);
    },
  };
}

/** The rotation of a token that is due a second after its creation, as `rotateBefore` must be shorter than `expiresIn`. */
export const due = `expiresIn: "90d", rotation: { rotateBefore: "P89DT23H59M59S" }`;

/**
 * Waits until the tokens with an expiry are due, as two updates may take less than a second.
 * @throws Error if there is none, or one expires later than that
 */
export async function untilDue({ tokens }: Emulator): Promise<void> {
  const lasting = 90 * 86_400_000;
  const ends = tokens.list().flatMap(({ expiresAt }) => (typeof expiresAt === "string" ? [Date.parse(expiresAt)] : []));
  const created = Math.max(...ends) - lasting;
  if (ends.length === 0 || created > Date.now() + 1_000)
    throw new Error("no token expires, or one after more than 90 days");
  while (Date.now() <= created + 1_000) await sleep(20);
}
