import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import * as audit from "../../audit";
import * as program from "../../provider";
import { lookups, type ResourceName, resourceDefinitions } from "../../provider/eventDatasets";
import * as sdk from "../../sdk";
import { makePrintable, withPrintableFailures } from "../../values/printable";

/** A frame on which `util.inspect` of Node.js never ends: the package's name is the last folder. */
const endless = "    at apply (/app/node_modules/@pulumi/output.ts:1:1)";

const prepare = Error.prepareStackTrace;
beforeEach(() => {
  Error.prepareStackTrace = (failure, frames) => `${failure}\n${endless}\n    at ${frames[0]}`;
});
afterEach(() => {
  if (prepare) Error.prepareStackTrace = prepare;
  else Reflect.deleteProperty(Error, "prepareStackTrace");
});

const classes: Pick<typeof program, ResourceName> = program;
const connection = { baseUrl: "https://a.example", accessToken: "t" };

/** Both forms of every data function. */
const forms = Object.keys(lookups).flatMap((name) => [name, `${name}Output`]);
const calls = forms.map((form) => {
  const call = (program as Record<string, unknown>)[form] as (...args: object[]) => unknown;
  return [form, () => call({}, { provider: {} })] as const;
});

/** Calls that fail, by export; a member of an object by its path. */
const failing: Readonly<Record<string, Readonly<Record<string, () => unknown>>>> = {
  program: {
    ...Object.fromEntries(
      Object.keys(resourceDefinitions).map((name) => [
        name,
        () => new classes[name as ResourceName]("a", {} as never, { import: "a" }),
      ]),
    ),
    Provider: () => new program.Provider("a", { ...connection, baseUrl: "" }),
    rows: () => program.rows(undefined as never),
    scalar: () => program.scalar({ tables: [] }),
    totals: () => program.totals(undefined as never),
    ...Object.fromEntries(calls),
  },
  audit: {
    auditTokens: () => audit.auditTokens({ baseUrl: "", live: [], stacks: [], policy: { version: 9 } as never }),
    readPolicy: () => audit.readPolicy({ version: 9 }, "file"),
    readState: () => audit.readState({}, "file"),
    readTerraformState: () => audit.readTerraformState({}, "file"),
  },
  sdk: {
    ApiError: () => {
      throw new sdk.ApiError("GET /v2/tokens", "no", { outcome: "refused" });
    },
    EventDatasets: () => new sdk.EventDatasets({ ...connection, baseUrl: "" }),
    "EventDatasets.tokens": () => new sdk.EventDatasets(connection).tokens.get(".."),
    "EventDatasets.profile": () => new sdk.EventDatasets(connection).tokens.delete("t1"),
    "EventDatasets.queries": () => new sdk.EventDatasets(connection).queries.apl({ apl: "", startTime: new Date("x") }),
    "EventDatasets.proxy": () => {
      process.env.https_proxy = "no address";
      try {
        return new sdk.EventDatasets(connection);
      } finally {
        delete process.env.https_proxy;
      }
    },
    "EventDatasets.size": () => new sdk.EventDatasets(connection).tokens.create({ name: "a".repeat(2_000_000) }),
    "EventDatasets.pages": () => new sdk.EventDatasets(connection).queries.pages({ apl: "" }, {}).next(),
    "EventDatasets.answer": () =>
      new sdk.EventDatasets({ ...connection, baseUrl: "http://127.0.0.1:1" }).tokens.create({ name: "a" }),
    requireSettings: () => sdk.requireSettings([]),
    rows: () => sdk.rows(undefined as never),
    scalar: () => sdk.scalar({ tables: [] }),
    selectTokens: () => sdk.selectTokens([], { expiringWithin: "soon" }, new Date()),
    totals: () => sdk.totals(undefined as never),
  },
};

/** Exports that cannot fail: constants, and functions that accept any value. */
const sound: Readonly<Record<string, readonly string[]>> = {
  program: [],
  audit: ["accountOf", "byWeight", "fails", "capabilitiesInWords"],
  sdk: "fromEnvironment hasOperation howToExtend isApiError isStatus offers orGone resolveSettings warningsOf".split(
    " ",
  ),
};

const modules = { program, audit, sdk } as const;

/** Every exported function, and those that are members of an exported object. */
function functionsOf(exported: object): string[] {
  return Object.entries(exported).flatMap(([name, value]) => {
    if (typeof value === "function") return [name];
    if (typeof value !== "object" || value === null) return [];
    const members = Object.entries(value).filter(([, member]) => typeof member === "function");
    return members.map(([member]) => `${name}.${member}`);
  });
}

describe.each(Object.entries(modules))("of %s", (name, exported) => {
  test("every exported function is known here", () => {
    const known = new Set([...Object.keys(failing[name] ?? {}), ...(sound[name] ?? [])]);
    expect(functionsOf(exported).filter((one) => !known.has(one))).toEqual([]);
  });

  test.each(Object.entries(failing[name] ?? {}))("what %s throws can be printed", async (_, call) => {
    const failure = await (async () => call())().then(
      () => undefined,
      (e: Error) => e,
    );
    expect(failure).toBeInstanceOf(Error);
    expect(failure?.stack).not.toContain(endless);
    expect(failure?.stack).toContain(failure?.message.split("\n")[0]);
  });
});

test("the causes of a failure can be printed, also where they run in a circle", () => {
  const cause = new Error("inner");
  const failure = new Error("outer", { cause });
  cause.cause = failure;
  expect(failure.stack).toContain(endless);
  makePrintable(failure);
  expect([failure.stack, cause.stack].join()).not.toContain(endless);
});

test("a function keeps its arguments, its answer and its failure", async () => {
  const add = withPrintableFailures((a: number, b: number) => a + b);
  expect(add(1, 2)).toBe(3);
  const reason = "not an error";
  await expect(withPrintableFailures(async () => Promise.reject(reason))()).rejects.toBe(reason);
});
