import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { AuditFolder } from "../support/auditFolder";
import { type Behaviour, hangUp, json, type ScriptedService, startService } from "../support/service";

let folder: AuditFolder;

beforeEach(async () => {
  folder = await AuditFolder.create();
  await folder.write("audit.md", "## API tokens: clean\n");
});

afterEach(() => folder[Symbol.asyncDispose]());

const marker = "<!-- event-datasets: audit -->";
const body = `${marker}\n## API tokens: clean\n`;
const other = { id: 1, body: `x ${marker}` };
const forges = {
  GitHub: {
    env: (url: string) => ({
      GITHUB_REF: "refs/pull/7/merge",
      GITHUB_API_URL: url,
      GITHUB_REPOSITORY: "acme/web",
      GITHUB_TOKEN: "canary-token",
    }),
    comments: "/repos/acme/web/issues/7/comments",
    change: "PATCH /repos/acme/web/issues/comments/2",
    credential: ["authorization", "Bearer canary-token"],
  },
  GitLab: {
    env: (url: string) => ({
      CI_MERGE_REQUEST_IID: "7",
      CI_API_V4_URL: `${url}/api/v4`,
      CI_PROJECT_ID: "12",
      AUDIT_COMMENT_TOKEN: "canary-token",
    }),
    comments: "/api/v4/projects/12/merge_requests/7/notes",
    change: "PUT /api/v4/projects/12/merge_requests/7/notes/2",
    credential: ["private-token", "canary-token"],
  },
} as const;

describe.each(["GitHub", "GitLab"] as const)("on %s", (name) => {
  const { env, comments, change, credential } = forges[name];
  const comment = (forge: ScriptedService, ...args: string[]) =>
    folder.run(["comment", "--file", "audit.md", ...args], forge, env(forge.url));
  const bodyOf = (forge: ScriptedService) => JSON.parse(forge.requests.at(-1)?.body ?? "").body;

  test("the first comment is added, with the credential that was given for it", async () => {
    await using forge = await startService(json(200, [other]), json(200, []), json(201, {}));
    expect((await comment(forge)).code).toBe(0);
    expect(forge.calls).toEqual([
      `GET ${comments}?per_page=100&page=1`,
      `GET ${comments}?per_page=100&page=2`,
      `POST ${comments}`,
    ]);
    expect(bodyOf(forge)).toBe(body);
    for (const { headers } of forge.requests) expect(headers[credential[0]]).toBe(credential[1]);
  });

  test("the next time it is changed, wherever it stands, and not at all if it says the same", async () => {
    const own = { id: 2, body: `${marker}\nolder` };
    await using forge = await startService(json(200, [other]), json(200, [own]), json(200, {}));
    expect((await comment(forge)).code).toBe(0);
    expect(forge.calls.at(-1)).toBe(change);
    expect(bodyOf(forge)).toBe(body);
    await using same = await startService(json(200, [other, { id: 2, body }]));
    expect((await comment(same)).code).toBe(0);
    expect(same.calls).toHaveLength(1);
  });

  test("an audit that could not tell takes the place of an older result", async () => {
    const own = { id: 2, body };
    for (const args of [
      ["--file", "none.md"],
      ["--file", "empty.md"],
    ]) {
      await folder.write("empty.md", "");
      await using forge = await startService(json(200, [own]), json(200, {}));
      expect((await comment(forge, ...args)).code).toBe(0);
      expect(bodyOf(forge)).toContain("## API tokens: could not tell");
    }
  });

  test.each<[string, Behaviour, string]>([
    ["refuses", json(403, { message: "canary" }), "403: the token may not comment"],
    ["sends the request elsewhere", json(302, {}, { location: "/elsewhere" }), "no answer"],
    ["does not answer", hangUp, "no answer"],
    ["answers something else", json(200, { message: "x" }), "its comments cannot be read"],
  ])("that it %s is told, without the credential", async (_, behaviour, reason) => {
    await using forge = await startService(behaviour);
    const { code, stderr } = await comment(forge);
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
    expect(stderr).not.toContain("canary");
    expect(forge.calls).toHaveLength(1);
  });
});

test("where there is no pull request nothing is sent, and that is no failure", async () => {
  await using forge = await startService(json(500, {}));
  const env = { ...forges.GitHub.env(forge.url), GITHUB_REF: "refs/heads/main" };
  expect(await folder.run(["comment", "--file", "audit.md"], forge, env)).toMatchObject({ code: 0 });
  expect(forge.calls).toEqual([]);
});
