// A host of Node.js programs that stays: what the Automation API does for an inline program, in a process of its own. Node.js, the SDK
// and the compiler are loaded once, which takes longer than all the rest of a command.

import { createRequire } from "node:module";
import type { ServerUnaryCall, sendUnaryData } from "@grpc/grpc-js";
import type { RunRequest, RunResponse } from "@pulumi/pulumi/proto/language_pb.js";
import type { HostAnswer } from "../programHost.ts";

const require = createRequire(import.meta.url);
// The module that the SDK itself loads, not another copy.
const fromSdk = createRequire(require.resolve("@pulumi/pulumi"));
const grpc: typeof import("@grpc/grpc-js") = fromSdk("@grpc/grpc-js");
const { LanguageServer } = require("@pulumi/pulumi/automation/server.js");
const { LanguageRuntimeService } = require("@pulumi/pulumi/proto/language_grpc_pb.js");
const { grpcChannelOptions } = require("@pulumi/pulumi/runtime");
const { typeScriptRequireStrings } = require("@pulumi/pulumi/tsutils.js");

/** By which this package knows a program of the engine's own host from an inline one. */
const ownHost = require.resolve("@pulumi/pulumi/cmd/run/index.js");

const compiler = typeScriptRequireStrings();
// With the settings of the engine's own host for a program without a tsconfig.json.
fromSdk(compiler.tsnodeRequire).register({
  compiler: compiler.typescriptRequire,
  transpileOnly: true,
  skipProject: true,
  compilerOptions: { target: "ES2020", module: "nodenext", moduleResolution: "nodenext", sourceMap: "true" },
});

const kept = new Set(Object.keys(require.cache));
/** The cache of resolved names, which a new file would change. */
const { _pathCache: found }: { _pathCache: Record<string, string> } = require("node:module");

process.on("message", ({ env, mark }: { readonly env: Record<string, string>; readonly mark?: string }) => {
  if (mark !== undefined) {
    for (const stream of [process.stdout, process.stderr]) stream.write(mark);
    return;
  }
  const languageServer = new LanguageServer(loadProgram);
  const server = new grpc.Server({ ...grpcChannelOptions });
  const run = (call: ServerUnaryCall<RunRequest, RunResponse>, callback: sendUnaryData<RunResponse>) => {
    setUp(env, call.request.getPwd());
    languageServer.run(call, callback);
  };
  server.addService(LanguageRuntimeService, {
    run,
    getRequiredPlugins: languageServer.getRequiredPlugins,
    getPluginInfo: languageServer.getPluginInfo,
  });
  const answer = (answered: HostAnswer) => process.send?.(answered);
  server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (failure, port) =>
    answer(failure ? { failure: failure.message } : { port }),
  );
});

process.on("disconnect", () => process.exit()); // the suite has ended, however it did

/** Leaves nothing of the run before: neither its environment nor a module of the program or of this package. */
function setUp(env: Readonly<Record<string, string>>, folder: string): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(folder);
  process.argv.splice(1, Number.POSITIVE_INFINITY, ownHost);
  Error.stackTraceLimit = 10;
  for (const name of Object.keys(found)) delete found[name];
  for (const file of Object.keys(require.cache)) {
    if (!kept.has(file) && !file.includes("/node_modules/")) delete require.cache[file];
  }
}

function loadProgram(): unknown {
  const loaded = require(`${process.cwd()}/`);
  return typeof loaded === "function" ? loaded() : loaded;
}
