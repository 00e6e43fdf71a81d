import { afterAll, beforeAll, expect, test } from "@jest/globals";
import schema from "../../schema.json";
import { type Behaviour, json, type ScriptedService, startService } from "../support/service";
import { type Plugin, secret, startPlugin } from "./plugin";

// Every argument of every function is given as a secret, so that a new argument cannot be forgotten.

const canary = "cnry-secret-argument";

/** A value of an argument's type, with the canary in it where the type has room for one. */
const sampleOf = (property: { readonly type?: string } | { readonly $ref: string }): unknown => {
  const type = "type" in property ? property.type : "object";
  if (type === "boolean" || type === "number" || type === "integer") return undefined;
  if (type === "array") return [canary];
  return type === "object" ? { field: canary, op: canary, timeZone: canary } : canary;
};

/** The required arguments of each function, in plain text. */
const needed: Readonly<Record<string, object>> = {
  getToken: {},
  getTokens: {},
  queryApl: { apl: "['web']" },
  queryDataset: { dataset: "web", startTime: "now-1h", endTime: "now", resolution: "auto" },
};

const functions = Object.entries(schema.functions).map(([token, { inputs }]) => {
  const name = token.slice(token.lastIndexOf(":") + 1);
  const values = Object.entries(inputs.properties).map(([key, property]) => [key, sampleOf(property)] as const);
  return { name, values: values.filter(([, value]) => value !== undefined) };
});

/** Says again what it was asked. */
const refuse: Behaviour = (response, request, socket) => {
  const message = `cannot read ${decodeURIComponent(request.call)} ${request.body}`;
  return json(400, { code: 400, message })(response, request, socket);
};

/** Answers nothing, with a warning that says again what it was asked. */
const warn: Behaviour = (response, request, socket) => {
  if (request.call.startsWith("GET")) return json(200, [{ id: 7, name: canary }])(response, request, socket);
  const messages = [{ priority: "warn", msg: `odd: ${decodeURIComponent(request.call)} ${request.body}` }];
  const answer = { status: { isPartial: false, messages }, buckets: {}, matches: [], request: {} };
  return json(200, answer)(response, request, socket);
};

const services: ScriptedService[] = [];
const plugins: Plugin[] = [];

beforeAll(async () => {
  for (const behaviour of [refuse, warn]) {
    const [service, plugin] = [await startService(behaviour), await startPlugin()];
    services.push(service);
    plugins.push(plugin);
    await plugin.configure({ baseUrl: service.url, accessToken: "xaat-root", profile: "extended" });
  }
});

afterAll(async () => {
  for (const one of [...plugins, ...services]) await one[Symbol.asyncDispose]();
});

/** All that a user sees of asking this: the failure or the answer, and what is told. */
async function ask(plugin: Plugin, name: string, args: Readonly<Record<string, unknown>>) {
  const before = plugin.told.length;
  const answered = await plugin.invoke(name, args).then(
    () => "",
    (failure: { readonly details: string }) => failure.details,
  );
  return [answered, ...plugin.told.slice(before).map(({ message }) => message)].filter((line) => line !== "");
}

test.each(functions)("$name repeats nothing of a secret argument, nor does the service through it", async (asked) => {
  expect(Object.keys(needed)).toContain(asked.name);
  const shown: string[] = [];
  for (const [key, value] of asked.values) {
    for (const plugin of plugins) {
      shown.push(...(await ask(plugin, asked.name, { ...needed[asked.name], [key]: secret(value) })));
    }
  }
  expect(shown.join("\n")).not.toContain("cnry");
  const kinds = new Set(shown.map((line) => line.replace(/\d{3}/, "400")));
  // A value of another form is refused before it is sent, without a word of it.
  const isDiscreet = (line: string) =>
    /; (it|the reason) is left out, as arguments are secret$|: argument \w+ must be one of [\w, ]+$/.test(line);
  expect([...kinds].filter((line) => !isDiscreet(line))).toEqual([]);
  expect(shown.length).toBeGreaterThanOrEqual(asked.values.length);
  expect(plugins.map((plugin) => plugin.printed()).join("")).not.toContain("cnry");
});
