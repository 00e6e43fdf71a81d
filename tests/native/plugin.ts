import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { credentials, Server, ServerCredentials, type ServiceError } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { requireBuild } from "../support/checkout";
import { compiledModules, pluginFolder } from "../support/program";

export const pluginFile = join(pluginFolder, "pulumi-resource-event-datasets");

type Bag = Readonly<Record<string, unknown>>;

const signatureKey = "4dabf18193072939515e22adb298388d";
/** The text that the engine sends for an unknown value. */
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
/** A value as the engine sends a secret. */
export const secret = (value: unknown) => ({ [signatureKey]: "1b47061264138c4ac30d75fd1eb44270", value });

export const urnOf = (name: string, type = "ApiToken") => `urn:pulumi:dev::web::event-datasets:index:${type}::${name}`;

/** A call that failed. */
export interface Failure {
  readonly message: string;
  /** The partial object that the engine keeps. */
  readonly kept?: { readonly id: string; readonly properties: Bag; readonly inputs: Bag; readonly reasons: string[] };
}

/** The members of a request to `check` beside the inputs. */
interface CheckOptions {
  readonly olds?: Bag;
  readonly seed?: string;
  /** The name that a pattern of `pulumi:autonaming` makes. */
  readonly proposed?: string;
}

const struct = (values: Bag | undefined) => Struct.fromJavaScript((values ?? {}) as Record<string, JavaScriptValue>);
const plain = (values: Struct | undefined) => (values?.toJavaScript() ?? {}) as Bag;

/** The object that a create made. @throws Error if it failed */
export function madeBy(created: { readonly id: string; readonly outputs: Bag } | Failure) {
  if ("message" in created) throw new Error(created.message);
  return created;
}

/** One line of the engine's log. */
export interface Told {
  readonly urn: string;
  readonly message: string;
  readonly severity: number;
}

/** The part of the engine that a plugin talks to: its log. A silent one never responds. */
async function startLog(told: Told[], isSilent: boolean) {
  const server = new Server();
  server.addService(EngineService, {
    log: (call: { request: LogRequest }, callback: (failure: null, answer: Empty) => void) => {
      const { request } = call;
      told.push({ urn: request.getUrn(), message: request.getMessage(), severity: request.getSeverity() });
      if (!isSilent) callback(null, new Empty());
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (failure, bound) =>
      failure ? reject(failure) : resolve(bound),
    );
  });
  return { address: `127.0.0.1:${port}`, server };
}

/**
 * Starts the built plugin with nothing in its environment but PATH, a folder of compiled modules, and what is given.
 * @param flags what the engine puts before its address, of the flags that it was called with
 * @param command what Node.js runs, if that is not the plugin itself
 * @param isSilent whether the engine's log never responds
 */
export async function startPlugin(
  env: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
  command: readonly string[] = [pluginFile],
  isSilent = false,
) {
  requireBuild();
  const told: Told[] = [];
  const log = await startLog(told, isSilent);
  const child = spawn(process.execPath, [...command, ...flags, log.address], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: await compiledModules(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  }
  await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
  const port = /^(\d+)\n/.exec(text)?.[1];
  if (port === undefined) {
    log.server.forceShutdown();
    throw new Error(`the plugin did not start: ${text}`);
  }
  const { close, ...calls } = connectTo(Number(port));
  return {
    told,
    printed: () => text,
    ...calls,
    async [Symbol.asyncDispose]() {
      close();
      await end(child);
      log.server.forceShutdown();
    },
  };
}

/** Starts the plugin with these settings, by default of a token and of the `extended` profile. */
export async function startConfigured(settings: Bag): Promise<Plugin> {
  const plugin = await startPlugin();
  await plugin.configure({ accessToken: "xaat-root", profile: "extended", ...settings });
  return plugin;
}

/** The plugin's process, spoken to as the engine does, without an engine. */
export type Plugin = Awaited<ReturnType<typeof startPlugin>>;

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, "exit");
  child.kill();
  await exited;
}

type Done<Response> = (failure: ServiceError | null, response: Response) => void;

/** One call, to its end. */
const ask = <Response>(send: (done: Done<Response>) => unknown) =>
  new Promise<Response>((resolve, reject) => {
    send((failure, response) => (failure ? reject(failure) : resolve(response)));
  });

const readCheck = (response: messages.CheckResponse) => ({
  inputs: plain(response.getInputs()),
  reasons: response.getFailuresList().map((failure) => failure.getReason()),
});

export type Calls = ReturnType<typeof connectTo>;

/** The calls of a plugin. */
export function connectTo(port: number) {
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  return {
    close: () => client.close(),
    async configure(args: Bag) {
      const request = new messages.ConfigureRequest().setArgs(struct(args)).setAcceptsecrets(true);
      await ask<messages.ConfigureResponse>((done) => client.configure(request, done));
    },
    async checkConfig(name: string, news: Bag) {
      const urn = `urn:pulumi:dev::web::pulumi:providers:event-datasets::${name}`;
      const request = new messages.CheckRequest().setUrn(urn).setNews(struct(news));
      return readCheck(await ask<messages.CheckResponse>((done) => client.checkConfig(request, done)));
    },
    async diffConfig(olds: Bag, news: Bag) {
      const request = new messages.DiffRequest().setOldInputs(struct(olds)).setOlds(struct(olds)).setNews(struct(news));
      const response = await ask<messages.DiffResponse>((done) => client.diffConfig(request, done));
      const keys = response.getDiffsList().sort();
      return { changes: response.getChanges() === some, replaces: response.getReplacesList(), keys };
    },
    async check(urn: string, news: Bag, { olds, seed = "seed", proposed }: CheckOptions = {}) {
      const request = new messages.CheckRequest().setUrn(urn).setNews(struct(news)).setOlds(struct(olds));
      request.setRandomseed(Buffer.from(seed));
      if (proposed !== undefined)
        request.setAutonaming(new messages.CheckRequest.AutonamingOptions().setProposedName(proposed));
      return readCheck(await ask<messages.CheckResponse>((done) => client.check(request, done)));
    },
    async diff(urn: string, id: string, olds: Bag, news: Bag, oldInputs?: Bag) {
      const request = new messages.DiffRequest().setUrn(urn).setId(id).setOlds(struct(olds)).setNews(struct(news));
      request.setOldInputs(struct(oldInputs ?? news));
      const response = await ask<messages.DiffResponse>((done) => client.diff(request, done));
      const detailed: Record<string, string> = {};
      response.getDetaileddiffMap().forEach((difference: messages.PropertyDiff, key: string) => {
        detailed[key] = String(kinds[difference.getKind()]);
      });
      return { changes: response.getChanges() === some, replaces: response.getReplacesList(), detailed };
    },
    create(urn: string, inputs: Bag, preview = false): Promise<{ id: string; outputs: Bag } | Failure> {
      const request = new messages.CreateRequest().setUrn(urn).setProperties(struct(inputs)).setPreview(preview);
      return ask<messages.CreateResponse>((done) => client.create(request, done)).then(
        (response) => ({ id: response.getId(), outputs: plain(response.getProperties()) }),
        failureOf,
      );
    },
    async read(urn: string, id: string, outputs?: Bag, inputs?: Bag) {
      const request = new messages.ReadRequest().setUrn(urn).setId(id).setProperties(struct(outputs));
      request.setInputs(struct(inputs));
      const response = await ask<messages.ReadResponse>((done) => client.read(request, done));
      return { id: response.getId(), outputs: plain(response.getProperties()), inputs: plain(response.getInputs()) };
    },
    update(
      urn: string,
      id: string,
      olds: Bag,
      news: Bag,
      preview = false,
      oldInputs: Bag = {},
    ): Promise<Bag | Failure> {
      const request = new messages.UpdateRequest().setUrn(urn).setId(id).setOlds(struct(olds)).setNews(struct(news));
      request.setPreview(preview).setOldInputs(struct(oldInputs));
      return ask<messages.UpdateResponse>((done) => client.update(request, done)).then(
        (response) => plain(response.getProperties()),
        failureOf,
      );
    },
    async delete(urn: string, id: string, outputs: Bag) {
      const request = new messages.DeleteRequest().setUrn(urn).setId(id).setProperties(struct(outputs));
      await ask<Empty>((done) => client.delete(request, done));
    },
    async invoke(name: string, args: Bag) {
      const request = new messages.InvokeRequest().setTok(`event-datasets:index:${name}`).setArgs(struct(args));
      return plain((await ask<messages.InvokeResponse>((done) => client.invoke(request, done))).getReturn());
    },
    async cancel() {
      await ask<Empty>((done) => client.cancel(new Empty(), done));
    },
    async schema(): Promise<Bag> {
      const request = new messages.GetSchemaRequest();
      return JSON.parse((await ask<messages.GetSchemaResponse>((done) => client.getSchema(request, done))).getSchema());
    },
  };
}

const kinds = ["add", "add, replace", "delete", "delete, replace", "update", "update, replace"] as const;
const some = messages.DiffResponse.DiffChanges.DIFF_SOME;

function failureOf(failure: ServiceError): Failure {
  const [details] = failure.metadata.get("grpc-status-details-bin");
  if (!(details instanceof Buffer)) return { message: failure.details };
  const [packed] = Status.deserializeBinary(new Uint8Array(details)).getDetailsList();
  const kept = packed?.unpack(messages.ErrorResourceInitFailed.deserializeBinary, "pulumirpc.ErrorResourceInitFailed");
  if (!kept) throw new Error("a failure with details of another kind");
  return {
    message: failure.details,
    kept: {
      id: kept.getId(),
      properties: plain(kept.getProperties()),
      inputs: plain(kept.getInputs()),
      reasons: kept.getReasonsList(),
    },
  };
}
