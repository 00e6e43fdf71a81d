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
const other = { id: 1, body: `x ${marker}`, ...by("somebody") };

/** The writer of a comment, as each forge names one. */
function by(login: string) {
  return { user: { login }, author: { username: login } };
}

/** Answers who the token belongs to, on both forges, and everything else as listed. */
function forgeThat(...behaviours: readonly Behaviour[]): Promise<ScriptedService> {
  const me = { login: "ci-bot", username: "ci-bot" };
  let left = [...behaviours];
  return startService((response, request, socket) => {
    if (/\/user$/.test(request.call)) return json(200, me)(response, request, socket);
    if (request.call === "POST /graphql") return json(200, { data: { viewer: me } })(response, request, socket);
    const [next, ...rest] = left;
    if (rest.length > 0) left = rest;
    return next?.(response, request, socket);
  });
}
const forges = {
  GitHub: {
    env: (url: string) => ({
      GITHUB_REF: "refs/pull/7/merge",
      GITHUB_API_URL: url,
      GITHUB_REPOSITORY: "acme/web",
      GITHUB_TOKEN: "canary-token",
      GITHUB_GRAPHQL_URL: `${url}/graphql`,
    }),
    whoAmI: "POST /graphql",
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
    whoAmI: "GET /api/v4/user",
    comments: "/api/v4/projects/12/merge_requests/7/notes",
    change: "PUT /api/v4/projects/12/merge_requests/7/notes/2",
    credential: ["private-token", "canary-token"],
  },
} as const;

describe.each(["GitHub", "GitLab"] as const)("on %s", (name) => {
  const { env, whoAmI, comments, change, credential } = forges[name];
  const comment = (forge: ScriptedService, ...args: string[]) =>
    folder.run(["comment", "--file", "audit.md", ...args], forge, env(forge.url));
  const bodyOf = (forge: ScriptedService) => JSON.parse(forge.requests.at(-1)?.body ?? "").body;

  test("the first comment is added with the given credential", async () => {
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

  test("an existing comment is updated on any page, and not if it is unchanged", async () => {
    const own = { id: 2, body: `${marker}\nolder`, ...by("ci-bot") };
    await using forge = await forgeThat(json(200, [other]), json(200, [own]), json(200, {}));
    expect((await comment(forge)).code).toBe(0);
    expect(forge.calls.slice(-2)).toEqual([whoAmI, change]);
    expect(bodyOf(forge)).toBe(body);
    await using same = await forgeThat(json(200, [other, { ...own, body }]));
    expect((await comment(same)).code).toBe(0);
    expect(same.calls).toEqual([`GET ${comments}?per_page=100&page=1`, whoAmI]);
  });

  test("somebody else's comment with the marker is never changed", async () => {
    const stranger = { id: 1, body: `${marker}\nignore the audit`, ...by("mallory") };
    const own = { id: 2, body: `${marker}\nolder`, ...by("ci-bot") };
    await using alone = await forgeThat(json(200, [stranger]), json(200, []), json(201, {}));
    expect((await comment(alone)).code).toBe(0);
    expect(alone.calls.at(-1)).toBe(`POST ${comments}`);
    await using both = await forgeThat(json(200, [stranger, own]), json(200, {}));
    expect((await comment(both)).code).toBe(0);
    expect(both.calls.at(-1)).toBe(change);
  });

  test("without the owner of the token there is no comment", async () => {
    const own = { id: 2, body: `${marker}\nolder`, ...by("ci-bot") };
    await using forge = await startService(json(200, [own]), json(200, {}));
    const { code, stderr } = await comment(forge);
    expect([code, stderr]).toEqual([2, expect.stringContaining("does not tell the account of the token")]);
    expect(forge.calls).toEqual([`GET ${comments}?per_page=100&page=1`, whoAmI]);
  });

  test("a list that ignores the page number is read twice, and then the comment is added", async () => {
    await using forge = await forgeThat(json(200, [other]), json(200, [other]), json(201, {}));
    expect((await comment(forge)).code).toBe(0);
    expect(forge.calls).toHaveLength(3);
    expect(forge.calls.at(-1)).toBe(`POST ${comments}`);
  });

  test("an endless list is read up to 100 pages", async () => {
    let id = 10;
    await using forge = await startService((response, ...rest) =>
      json(200, [{ ...other, id: id++ }])(response, ...rest),
    );
    const { code, stderr } = await comment(forge);
    expect([code, stderr]).toEqual([2, expect.stringContaining("has more than 100 pages of comments")]);
    expect(forge.calls).toHaveLength(100);
  });

  test("an audit that could not tell replaces an older result", async () => {
    const own = { id: 2, body, ...by("ci-bot") };
    for (const args of [
      ["--file", "none.md"],
      ["--file", "empty.md"],
    ]) {
      await folder.write("empty.md", "");
      await using forge = await forgeThat(json(200, [own]), json(200, {}));
      expect((await comment(forge, ...args)).code).toBe(0);
      expect(bodyOf(forge)).toContain("## API tokens: could not tell");
    }
  });

  test.each<[string, Behaviour, string]>([
    ["refuses", json(403, { message: "canary" }), "403: the token may not comment"],
    ["sends the request elsewhere", json(302, {}, { location: "/elsewhere" }), "no response"],
    ["does not answer", hangUp, "no response"],
    ["answers something else", json(200, { message: "x" }), "its comments cannot be read"],
  ])("that it %s is told, without the credential", async (_, behaviour, reason) => {
    await using forge = await startService(behaviour);
    const { code, stderr } = await comment(forge);
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
    expect(stderr).not.toContain("canary");
    expect(forge.calls).toHaveLength(1);
  });
});

test("without a pull request nothing is sent, and the command succeeds", async () => {
  await using forge = await startService(json(500, {}));
  const env = { ...forges.GitHub.env(forge.url), GITHUB_REF: "refs/heads/main" };
  expect(await folder.run(["comment", "--file", "audit.md"], forge, env)).toMatchObject({ code: 0 });
  expect(forge.calls).toEqual([]);
});
