// @ts-check
// A host of programs, or of hooks, as its argument says.

import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";

/** @typedef {import("../warmHosts.ts").HostRequest} HostRequest */

const require = createRequire(import.meta.url);
// The modules that the SDK itself loads, not other copies.
const fromSdk = createRequire(require.resolve("@pulumi/pulumi"));
/** @type {typeof import("@grpc/grpc-js")} */
const grpc = fromSdk("@grpc/grpc-js");

/** @type {{ _pathCache: Record<string, string> }} */
const { _pathCache: found } = /** @type {any} */ (require("node:module"));

/** @type {Set<import("@grpc/grpc-js").Server>} */
const servers = new Set();

const { addService } = grpc.Server.prototype;
/** @type {typeof addService} */
grpc.Server.prototype.addService = function add(definition, implementation) {
  servers.add(this);
  addService.call(this, definition, implementation);
};

/** @type {Set<import("@grpc/grpc-js").Channel>} */
const channels = new Set();

const settings = /** @type {Record<string, import("@grpc/grpc-js").ClientOptions>} */ (
  require("@pulumi/pulumi/runtime/settings.js")
);
/** An older SDK has one object for clients and servers. */
const clientOptions = settings.grpcClientOptions ?? settings.grpcChannelOptions ?? {};
/** @type {NonNullable<typeof clientOptions.channelFactoryOverride>} */
const openChannel = (address, credentials, options) => {
  // Otherwise channels share connections by address, and with them a failure.
  const channel = new grpc.Channel(address, credentials, { ...options, "grpc.use_local_subchannel_pool": 1 });
  channels.add(channel);
  return channel;
};
// The SDK leaves its channels to the end of the process. The engine of a later command can get the port of one that is gone.
clientOptions.channelFactoryOverride = openChannel;

/** Modules of this package as npm installs it, and of the toy. As a link they are not below `node_modules`. */
const own = /\/node_modules\/(pulumi-event-datasets|toy-counters)\//;

/** The module of gRPC with the pauses before it connects anew. */
const reconnecting = /\/@grpc\/grpc-js\/(build\/)?src\/backoff-timeout\./;

/**
 * The timers of programs and of this package, and those after which a failed channel connects anew, even a closed one. Without those
 * of packages that stay loaded.
 * @type {Set<NodeJS.Timeout>}
 */
const timers = new Set();
for (const name of /** @type {const} */ (["setTimeout", "setInterval"])) {
  /** @type {(...args: any[]) => NodeJS.Timeout} */
  const startTimer = globalThis[name];
  /** @type {typeof startTimer} */
  const startNoted = (...args) => {
    const timer = startTimer(...args);
    const [, , caller = ""] = new Error().stack?.split("\n") ?? [];
    const isOfRun = !caller.includes("/node_modules/") || own.test(caller) || reconnecting.test(caller);
    if (isOfRun && !caller.includes("(node:")) timers.add(timer);
    return timer;
  };
  globalThis[name] = /** @type {any} */ (Object.assign(startNoted, startTimer));
}

/** How long a host waits for what a command left, before it is given up. */
const longestRestMs = 3_000;

/** The events of a process that a run may listen to. */
const events = /** @type {"exit"[]} */ (["exit", "SIGINT", "SIGTERM", "uncaughtException", "unhandledRejection"]);

/**
 * Runs one command after another.
 * @param {RegExp} renewed modules of the SDK that each run loads anew
 * @param {(request: HostRequest) => void} begin starts a server, and prints its port
 */
function serve(renewed, begin) {
  process.on("disconnect", () => process.exit()); // the test run has ended, however it did
  const kept = new Set(Object.keys(require.cache).filter((file) => !renewed.test(file)));
  const before = new Set(events.flatMap((name) => process.listeners(name)));
  const carryOut = async (/** @type {import("../warmHosts.ts").Order} */ order) => {
    if ("begin" in order) {
      forgetModules(kept, renewed);
      setUp(order.begin);
      begin(order.begin);
      return;
    }
    await closeChannels();
    endRun(before);
    for (const stream of [process.stdout, process.stderr]) stream.write(order.end.mark);
    process.send?.({ isIdle: await comesToRest() });
  };
  process.on("message", (/** @type {import("../warmHosts.ts").Order} */ order) => {
    carryOut(order).catch((failure) => {
      process.stderr.write(`${failure?.stack ?? failure}\n`);
      process.kill(process.pid, "SIGKILL"); // a run that listens to failures would leave the command waiting for its end
    });
  });
}

/**
 * Waits until nothing of a command goes on: it has no timer and no connection, which its promises could wait for. A connection that is
 * only kept for later requests does not count as active. A promise that waits for a call of the engine is never settled.
 * @returns whether the host can take another command
 */
async function comesToRest() {
  for (const end = Date.now() + longestRestMs; Date.now() < end; await sleep(10)) {
    await new Promise(setImmediate); // the timer of the pause is over
    if (process.getActiveResourcesInfo().every((name) => name === "PipeWrap")) {
      renewLog();
      return true;
    }
  }
  return false;
}

const logModule = require.resolve("@pulumi/pulumi/log");
/** The object through which the SDK's other modules log. */
const log = require(logModule);

/** The SDK's log lines wait for each other. Lines that wait for a resource of a run that has ended must not hold up those of the next. */
function renewLog() {
  delete require.cache[logModule];
  Object.assign(log, require(logModule));
}

/**
 * Leaves no module of the program or of this package.
 * @param {ReadonlySet<string>} kept
 * @param {RegExp} renewed
 */
function forgetModules(kept, renewed) {
  for (const name of Object.keys(found)) delete found[name]; // a new file may have changed what a name leads to
  for (const file of Object.keys(require.cache)) {
    if (!kept.has(file) && (!file.includes("/node_modules/") || own.test(file) || renewed.test(file)))
      delete require.cache[file];
  }
}

/** @param {HostRequest} request */
function setUp({ env, folder }) {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(folder);
  Error.stackTraceLimit = 3; // the SDK takes a stack for each promise, and the compiler looks up each line of it
}

/** A call that fails by that is still caught by the listeners of its run. */
async function closeChannels() {
  for (const channel of channels) channel.close();
  channels.clear();
  await new Promise(setImmediate);
}

/**
 * Does what the end of a process would do.
 * @param {ReadonlySet<unknown>} before the listeners of this host
 */
function endRun(before) {
  for (const name of events) {
    for (const listener of process.listeners(name).filter((one) => !before.has(one))) {
      process.off(name, listener);
      if (name === "exit") listener(0);
    }
  }
  for (const stream of [process.stdout, process.stderr]) Reflect.deleteProperty(stream, "write"); // the run's own, if any
  for (const server of servers) server.forceShutdown();
  servers.clear();
  for (const timer of timers) clearTimeout(timer);
  timers.clear();
}

/** Runs programs as the Automation API runs an inline program. */
function servePrograms() {
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
}

function loadProgram() {
  const loaded = require(`${process.cwd()}/`);
  return typeof loaded === "function" ? loaded() : loaded;
}

/** Runs the hooks of dynamic providers with the SDK's own host, which begins when it is loaded. */
function serveHooks() {
  const main = require.resolve("@pulumi/pulumi/cmd/dynamic-provider/index.js");
  require("@pulumi/pulumi");
  require("@pulumi/pulumi/proto/provider_grpc_pb.js");

  // Its settings and what it keeps of providers are its own.
  serve(/\/cmd\/dynamic-provider\//, ({ argument }) => {
    process.argv.splice(1, Number.POSITIVE_INFINITY, main, argument);
    require(main);
  });
}

if (process.argv[2] === "program") servePrograms();
else serveHooks();
