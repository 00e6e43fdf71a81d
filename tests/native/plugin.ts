import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { connectPlugin } from "../../framework/testing/pluginCalls";
import { requireBuild } from "../support/checkout";
import { compiledModules, pluginFolder } from "../support/program";

export const pluginFile = join(pluginFolder, "pulumi-resource-event-datasets");

type Bag = Readonly<Record<string, unknown>>;

export const urnOf = (name: string, type = "ApiToken") => `urn:pulumi:dev::web::event-datasets:index:${type}::${name}`;

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
  const { close, ...calls } = connectPlugin(Number(port));
  return {
    told,
    printed: () => text,
    ...calls,
    checkConfig: (name: string, news: Bag) =>
      calls.checkConfig(`urn:pulumi:dev::web::pulumi:providers:event-datasets::${name}`, news),
    invoke: (name: string, args: Bag) => calls.invoke(`event-datasets:index:${name}`, args),
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
