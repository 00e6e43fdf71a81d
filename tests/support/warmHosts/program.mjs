// @ts-check
// Runs programs as the Automation API runs an inline program, in a process of its own.

import { fromSdk, grpc, require, serve } from "./child.mjs";

const { LanguageServer } = /** @type {any} */ (require("@pulumi/pulumi/automation/server.js"));
const { LanguageRuntimeService } = require("@pulumi/pulumi/proto/language_grpc_pb.js");
const { grpcChannelOptions } = /** @type {any} */ (require("@pulumi/pulumi/runtime"));
const { typeScriptRequireStrings } = /** @type {any} */ (require("@pulumi/pulumi/tsutils.js"));

/** By which this package knows a program of the engine's own host from an inline one. */
const ownHost = require.resolve("@pulumi/pulumi/cmd/run/index.js");

const compiler = typeScriptRequireStrings();
// With the settings of the engine's own host for a program without a tsconfig.json.
fromSdk(compiler.tsnodeRequire).register({
  compiler: compiler.typescriptRequire,
  transpileOnly: true,
  cache: false, // each program has a folder of its own, so nothing would be found again
  skipProject: true,
  compilerOptions: { target: "ES2020", module: "nodenext", moduleResolution: "nodenext", sourceMap: "true" },
});

serve(/^$/, () => {
  const languageServer = new LanguageServer(loadProgram);
  const server = new grpc.Server({ ...grpcChannelOptions });
  /**
   * @param {import("@grpc/grpc-js").ServerUnaryCall<import("@pulumi/pulumi/proto/language_pb.js").RunRequest, unknown>} call
   * @param {unknown} callback
   */
  const run = (call, callback) => {
    process.chdir(call.request.getPwd());
    process.argv.splice(1, Number.POSITIVE_INFINITY, ownHost);
    languageServer.run(call, callback);
  };
  server.addService(LanguageRuntimeService, {
    run,
    getRequiredPlugins: languageServer.getRequiredPlugins,
    getPluginInfo: languageServer.getPluginInfo,
  });
  server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (failure, port) =>
    process.stdout.write(`${failure?.message ?? port}\n`),
  );
});

function loadProgram() {
  const loaded = require(`${process.cwd()}/`);
  return typeof loaded === "function" ? loaded() : loaded;
}
