import { rm } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@jest/globals";
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
      PATH: path.dirname(process.execPath),
      ...env,
    },
  });

/** A Pulumi CLI that only knows its version, and a project of Node.js whose program is this text. */
async function writeProject(program: string): Promise<{ readonly PATH: string }> {
  await folder.write("bin/pulumi", "#!/bin/sh\necho v3.276.0\n", 0o755);
  await folder.write("Pulumi.yaml", "name: web\nruntime: nodejs\n");
  await folder.write("package.json", { dependencies: { "pulumi-event-datasets": "1.0.0" } });
  await folder.write("src/index.ts", program);
  await folder.write("node_modules/@pulumi/pulumi/package.json", { version: "3.276.0" });
  await folder.write("node_modules/x/index.js", "require('pulumi-event-datasets').QueryGate");
  return { PATH: `${folder.path}/bin:${path.dirname(process.execPath)}:/usr/bin:/bin` };
}

const usesTokens = 'import { ApiToken } from "pulumi-event-datasets";';

const answer = (status: number, body: unknown, date = Date.now()) =>
  json(status, body, { date: new Date(date).toUTCString() });

test("says where each setting came from and what works, and shows no credential", async () => {
  await using service = await startService(answer(200, [{ id: "t1", name: "a" }]), answer(200, aplAnswer));
  const { PATH } = await writeProject("");
  const { code, stdout, stderr } = await run(service.url, { PATH }, CHECKOUT);
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
    /^ {2}ok +Pulumi engine 3\.276\.0$/m,
    /\nno problems found\n$/,
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
  await writeProject(usesTokens);
  await folder.write("package.json", {});
  await rm(path.join(folder.path, "node_modules"), { recursive: true });
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
  expect(stdout).toMatch(/PROBLEM +Pulumi engine: .*not on PATH/);
  expect(stdout).toMatch(/PROBLEM +@pulumi\/pulumi: not installed for programs in /);
  expect(stdout).toMatch(/\n6 problems found\n$/);
});

test("an unreachable service is exit code 2, and a missing setting is a problem", async () => {
  const { code, stdout } = await run("http://127.0.0.1:9");
  expect(code).toBe(2);
  expect(stdout).toMatch(/NO ANSWER +GET \/v2\/tokens: no response/);
  expect(stdout).toMatch(/\ncould not check: the service could not be reached\n$/);
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
  const { code, stdout } = await run(service.url, { EVENT_DATASETS_PROFILE: "extended" });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ {2}- +GET \/v2\/annotations: 403: .* needed for Annotation, but not for this folder/m);
});

const annotates = 'import { DeploymentAnnotation } from "pulumi-event-datasets";';
const gates = "import pulumi_event_datasets as e\ne.query_apl()";

test.each<[string, string, number, RegExp]>([
  [
    "annotations",
    annotates,
    0,
    /^ {2}- +GET \/v2\/tokens: 403: .* needed for ApiToken, getToken\(s\) and audit, but not for/m,
  ],
  [
    "tokens",
    usesTokens,
    1,
    /^ {2}PROBLEM +GET \/v2\/tokens: 403: .* needed for ApiToken, .* and this folder uses ApiToken$/m,
  ],
  [
    "queries",
    gates,
    1,
    /^ {2}PROBLEM +POST \/v1\/datasets\/_apl: 403: .* needed for .* and this folder uses query_apl$/m,
  ],
])(
  "a capability that the access token lacks is a problem only if the project needs it: %s",
  async (_, program, code, said) => {
    const env = await writeProject(program);
    await using service = await startService(answer(403, { message: "no" }));
    expect(await run(service.url, env)).toMatchObject({ code, stdout: expect.stringMatching(said) });
  },
);

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
  [
    "no proxy where none is used",
    "http://127.0.0.1:9",
    "http://127.0.0.1:8",
    2,
    /NO ANSWER .* and the network; is the emulator or the service running\?$/m,
  ],
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
    const setting = `set environment variable EVENT_DATASETS_PROFILE to "${other}"`;
    expect(stdout).toMatch(new RegExp(`PROBLEM +POST /v1/datasets/_apl.*: 400: .* ${setting}`));
    expect(code).toBe(1);
  },
);

test.each([
  ["a credential that may not query", 403, {}],
  ["a query that the service does not take", 400, { message: "the query names no dataset" }],
])("%s is no problem of the settings", async (_, status, body) => {
  await using service = await startService(answer(200, []), answer(status, body));
  const { stdout } = await run(service.url);
  expect(stdout).toMatch(new RegExp(`^ {2}- +POST /v1/datasets/_apl: ${status}: .* needed for QueryGate`, "m"));
  expect(stdout).not.toContain("PROBLEM");
});
