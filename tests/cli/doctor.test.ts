import path from "node:path";
import { expect, test } from "@jest/globals";
import { checkSettings, stackConfigOf } from "../../cli/doctor/settings";
import { useAuditFolder } from "../support/auditFolder";
import { cli } from "../support/cli";
import { startTemporaryEmulator } from "../support/deployment";
import { CHECKOUT } from "../support/program";
import { aplAnswer } from "../support/queryAnswers";
import { json, startService } from "../support/service";

const credential = "xaat-canary-of-doctor";

const folder = useAuditFolder();

const run = (url: string, env: Readonly<Record<string, string>> = {}, cwd = folder.path) =>
  cli(["doctor"], {
    cwd,
    env: {
      EVENT_DATASETS_BASE_URL: url,
      EVENT_DATASETS_ACCESS_TOKEN: credential,
      ...env,
      PATH: path.dirname(process.execPath),
    },
  });

const answer = (status: number, body: unknown, date = Date.now()) =>
  json(status, body, { date: new Date(date).toUTCString() });

test("says where each setting came from and what works, and shows no credential", async () => {
  await using service = await startService(answer(200, [{ id: "t1", name: "a" }]), answer(200, aplAnswer));
  const { code, stdout, stderr } = await run(service.url, {}, CHECKOUT);
  expect(stderr).toBe("");
  for (const line of [
    /^ {2}ok +baseUrl: http:\/\/127.0.0.1:\d+ \(from EVENT_DATASETS_BASE_URL\)$/m,
    /^ {2}ok +accessToken: set \(from EVENT_DATASETS_ACCESS_TOKEN\)$/m,
    /^ {2}ok +profile: documented \(default\)$/m,
    /^ {2}ok +http.* answers, and the access token may list tokens: 1 token$/m,
    /^ {2}ok +a query works with the profile documented$/m,
    /^ {2}- +other capabilities were not checked/m,
    /^ {2}ok +clock: within \d+ s of the service's$/m,
    /^ {2}ok +Node.js 22/m,
    /^ {2}- +Pulumi engine: .*not on PATH/m,
    /^ {2}ok +@pulumi\/pulumi 3\./m,
    /^ {2}ok +pulumi-event-datasets is a direct dependency/m,
  ])
    expect(stdout).toMatch(line);
  expect(stdout).not.toContain(credential);
  expect(code).toBe(0);
  expect(service.calls).toEqual(["GET /v2/tokens", "POST /v1/datasets/_apl"]);
  const { apl, startTime, endTime } = JSON.parse(service.requests[1]?.body ?? "");
  expect([apl, Date.parse(endTime) - Date.parse(startTime)]).toEqual(["print 1", 60_000]);
});

test("names each problem and how to fix it", async () => {
  await folder.write("package.json", {});
  await using service = await startService(answer(403, {}, Date.now() - 3_600_000));
  const { code, stdout } = await run(service.url, { EVENT_DATASETS_BASEURL: "x", EVENT_DATASETS_NOT_FOUND: "t1" });
  expect(code).toBe(1);
  expect(stdout).not.toContain("NOT_FOUND");
  expect(stdout).toContain(
    'PROBLEM    variable EVENT_DATASETS_BASEURL is not known; did you mean "EVENT_DATASETS_BASE_URL"?',
  );
  expect(stdout).toMatch(/PROBLEM +GET \/v2\/tokens: 403/);
  expect(stdout).toMatch(/PROBLEM +clock: 3[56]\d\d s ahead of the service's/);
  expect(stdout).toMatch(/PROBLEM +pulumi-event-datasets is not in the package.json of /);
});

test("an unreachable service is exit code 2, and a missing setting is a problem", async () => {
  const { code, stdout } = await run("http://127.0.0.1:9");
  expect(code).toBe(2);
  expect(stdout).toMatch(/NO ANSWER +GET \/v2\/tokens: no response/);
  const missing = await run("");
  expect(missing.code).toBe(1);
  expect(missing.stdout).toMatch(/PROBLEM +baseUrl is missing: set environment variable EVENT_DATASETS_BASE_URL/);
});

test("in the extended profile it also checks the list of annotations", async () => {
  await using service = await startService(answer(200, []), answer(200, aplAnswer), answer(200, [{ id: "a1" }]));
  const { stdout } = await run(service.url, { EVENT_DATASETS_PROFILE: "extended" });
  expect(stdout).toMatch(/ok +the access token may list annotations: 1 annotation;/);
  expect(service.calls).toEqual(["GET /v2/tokens", "POST /v1/datasets/_apl?format=legacy", "GET /v2/annotations"]);
});

test("accepts the credential that the audit needs, which may list tokens and nothing else", async () => {
  await using service = await startService(answer(200, []), answer(403, {}));
  const { code, stdout } = await run(service.url, { EVENT_DATASETS_PROFILE: "extended" }, CHECKOUT);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ {2}- +the access token may not list annotations; other/m);
});

test("finds a plain-text token from a subfolder, in a project of any file name, and names a proxy that is set", async () => {
  await folder.write("sub/index.ts", "");
  await folder.write("Pulumi.yml", "name: web\n");
  const config = JSON.stringify({ "event-datasets:accessToken": { value: "canary", secret: false } });
  await folder.write("bin/pulumi", `#!/bin/sh\n[ "$1" = config ] && echo '${config}'\n`, 0o755);
  const { code, stdout } = await cli(["doctor"], {
    cwd: path.join(folder.path, "sub"),
    env: { PATH: `${folder.path}/bin:${process.env.PATH}`, HTTPS_PROXY: "http://user:canary@proxy.example.com:3128" },
  });
  expect([code, stdout]).toEqual([1, expect.stringContaining("PROBLEM    accessToken is in plain text in the stack")]);
  expect(stdout).toContain("proxy: proxy.example.com:3128 (from HTTPS_PROXY)");
  expect(stdout).not.toContain("canary");
});

test.each([
  [
    "a dead proxy by the call that failed",
    "https://service.invalid",
    "http://127.0.0.1:9",
    2,
    /NO ANSWER .*HTTPS_PROXY$/m,
  ],
  ["no proxy where none is used", "http://127.0.0.1:9", "http://127.0.0.1:8", 2, /NO ANSWER .* and the network$/m],
  [
    "an unusable proxy in its section",
    "https://service.invalid",
    "proxy:3128",
    1,
    /PROBLEM +HTTPS_PROXY or .*\nVersions/,
  ],
])("blames %s", async (_, url, proxy, status, said) => {
  const { code, stdout } = await run(url, { HTTPS_PROXY: proxy });
  expect([code, stdout]).toEqual([status, expect.stringMatching(said)]);
  expect(stdout).not.toMatch(/PROBLEM +proxy/);
});

test.each([
  ["documented", "extended"],
  ["extended", "documented"],
] as const)(
  "the profile %s at a service that speaks %s is a problem, which names the profile and the setting",
  async (own, other) => {
    await using service = await startTemporaryEmulator({ profile: other });
    const env = { EVENT_DATASETS_ACCESS_TOKEN: service.rootToken, EVENT_DATASETS_PROFILE: own };
    const { code, stdout } = await run(service.url, env);
    const setting = `set profile \\(EVENT_DATASETS_PROFILE, .*to ${other}`;
    expect(stdout).toMatch(new RegExp(`PROBLEM +POST /v1/datasets/_apl.*: 400: .* ${setting}`));
    expect(code).toBe(1);
  },
);

test.each([
  ["a credential that may not query", 403, {}],
  ["a query that the service does not take", 400, { message: "the query names no dataset" }],
])("%s is no problem of the settings", async (_, status, body) => {
  await using service = await startService(answer(200, []), answer(status, body));
  const { stdout } = await run(service.url, {}, CHECKOUT);
  expect(stdout).toMatch(new RegExp(`^ {2}- +queries were not checked: POST /v1/datasets/_apl: ${status}`, "m"));
  expect(stdout).not.toContain("PROBLEM");
});

const textsOf = (...args: Parameters<typeof checkSettings>) =>
  checkSettings(...args).map(({ state, text }) => `${state} ${text}`);

test("an unusable value of a stack's config is not shown, because it may be a secret in the wrong place", () => {
  const password = "cnry-of-an-address-5c7e9b1d";
  const config = stackConfigOf({
    "event-datasets:baseUrl": { value: `https://user:${password}@api.example.com`, secret: false },
    "event-datasets:profile": { value: password, secret: false },
  });
  expect(textsOf({}, config)).toEqual([
    "problem stack config event-datasets:baseUrl must not contain a user name or password: set the access token instead",
    "problem accessToken is missing: set environment variable EVENT_DATASETS_ACCESS_TOKEN",
    "problem stack config event-datasets:profile must be one of documented, extended",
  ]);
});

test("a setting of the stack's config is checked with the profile that the environment gives", () => {
  const printed = { "event-datasets:orgId": { value: "acme" } };
  const config = stackConfigOf(printed);
  for (const env of [{ EVENT_DATASETS_PROFILE: "extended" }, { EVENT_DATASETS_BASE_URL: "https://api.axiom.co" }])
    expect(textsOf(env, config)).toContain(
      "unknown orgId: acme (from the stack config): for programs only, and not tried here",
    );
  expect(textsOf({}, config).join()).toContain("problem stack config event-datasets:orgId needs the profile extended");
  // A base URL can bring the profile.
  const hidden = stackConfigOf({ ...printed, "event-datasets:baseUrl": { secret: true } });
  expect(textsOf({}, hidden).join()).not.toContain("problem stack config");
});

const inStack = [
  "accessToken: a secret (from the stack config): for programs only, and not tried here. So the state contains it",
  "(encrypted), and the engine's logs of -v=11, --tracing and gRPC contain it in plain text. With",
  "EVENT_DATASETS_ACCESS_TOKEN in the environment neither does: set that, then run pulumi config rm",
  "event-datasets:accessToken and pulumi up",
].join(" ");

test("a stack's config is shown without secrets, with a warning for a credential in it; one in plain text is a problem", () => {
  const config = stackConfigOf({
    "event-datasets:baseUrl": { value: "https://api.example.com", secret: false },
    "event-datasets:accessToken": { value: "canary", secret: true },
    "event-datasets:profil": { value: "extended", secret: false },
    "web:size": { value: "3", secret: false },
  });
  expect(textsOf({}, config)).toEqual([
    "unknown baseUrl: https://api.example.com (from the stack config): for programs only, and not tried here",
    `advice ${inStack}`,
    'problem stack config event-datasets:profil is not known; did you mean "profile"?',
  ]);
  // The engine records and logs the stack's, also where the environment's is the one that is used.
  const env = { EVENT_DATASETS_BASE_URL: "https://api.example.com", EVENT_DATASETS_ACCESS_TOKEN: credential };
  expect(textsOf(env, config)).toEqual(
    expect.arrayContaining(["ok accessToken: set (from EVENT_DATASETS_ACCESS_TOKEN)", `advice ${inStack}`]),
  );
  expect(checkSettings(env, {}).filter(({ state }) => state !== "ok")).toEqual([]);
  const plain = stackConfigOf({ "event-datasets:accessToken": { value: "canary", secret: false } });
  expect(textsOf({}, plain)[1]).toMatch(
    /^problem accessToken is in plain text in the stack config: pulumi config set --secret/,
  );
});
