// @ts-check
// The plugin for every language beside the dynamic form: its size, how long it takes to start, and a stack of tokens in either.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { gzipSync } from "node:zlib";
import { credentials } from "@grpc/grpc-js";
import grpc from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import struct from "google-protobuf/google/protobuf/struct_pb.js";
import { run as runEngine } from "./engine.bench.mjs";

const root = path.resolve(import.meta.dirname, "..");
const plugin = path.join(root, "dist", "native", "pulumi-resource-event-datasets");
const starts = 7;

/** What the engine starts, and the resource that it first asks it to check. */
const hosts = {
  dynamic: {
    command: path.join(root, "node_modules/@pulumi/pulumi/cmd/dynamic-provider/index.js"),
    type: "pulumi-nodejs:event-datasets:ApiToken",
    inputs: { __provider: 'exports.handler=()=>require("pulumi-event-datasets/dynamic/v1/api-token")' },
  },
  native: { command: plugin, type: "event-datasets:index:ApiToken", inputs: {} },
};

/**
 * @param {(done: (failure: Error | null, answer: unknown) => void) => void} call
 * @returns {Promise<unknown>}
 */
const answerOf = (call) =>
  new Promise((resolve, reject) => call((failure, answer) => (failure ? reject(failure) : resolve(answer))));

/**
 * Milliseconds from the start of a process to its first answer.
 * @param {{ command: string, type: string, inputs: Record<string, string> }} host
 */
async function measureStart({ command, type, inputs }) {
  const started = performance.now();
  const env = {
    PATH: process.env.PATH,
    EVENT_DATASETS_BASE_URL: "http://127.0.0.1:9",
    EVENT_DATASETS_ACCESS_TOKEN: "bench",
  };
  // In the checkout, where the dynamic host finds the package as a program's.
  const child = spawn(process.execPath, [command, "127.0.0.1:9"], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [port] = await once(createInterface({ input: child.stdout }), "line");
    const client = new grpc.ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
    const none = () => new struct.Struct();
    await answerOf((done) => client.configure(new messages.ConfigureRequest().setArgs(none()), done));
    const request = new messages.CheckRequest().setUrn(`urn:pulumi:dev::bench::${type}::ci`).setOlds(none());
    request.setNews(struct.Struct.fromJavaScript({ name: "ci", ...inputs })).setRandomseed(Buffer.from("seed"));
    await answerOf((done) => client.check(request, done));
    const milliseconds = performance.now() - started;
    client.close();
    return milliseconds;
  } finally {
    child.kill("SIGKILL");
    await once(child, "close");
  }
}

/** @param {string[]} args for the stacks, as those of `engine` */
export async function run(args = []) {
  const content = await readFile(plugin);
  const [whole, packed] = [content.length, gzipSync(content).length].map((bytes) => Math.round(bytes / 1000));
  console.log(`size of the plugin: ${whole} kB, ${packed} kB packed`);

  /** @type {Record<string, number[]>} */
  const times = { dynamic: [], native: [] };
  // One after the other, so that what else the machine does meets both; the fastest counts.
  for (let round = 0; round < starts; round++) {
    for (const [name, host] of Object.entries(hosts)) times[name]?.push(await measureStart(host));
  }
  const [dynamic, native] = [Math.min(...(times.dynamic ?? [])), Math.min(...(times.native ?? []))];
  console.log(
    `start to first answer, best of ${starts}: dynamic ${dynamic.toFixed(0)} ms, native ${native.toFixed(0)} ms`,
  );
  console.log(`(${(native / dynamic).toFixed(2)} of the dynamic host's)\n`);

  await runEngine(["--variants", "ours,native", "--tokens", "300", ...args]);
}
