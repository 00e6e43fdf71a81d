import { defined } from "../../values/defined";
import { isObject } from "../../values/json";
import type { Io } from "../command";

/** A comment, in the form of either forge. */
export interface Comment {
  readonly id: number;
  readonly body: string;
  /** The login of its author. */
  readonly author: string | undefined;
}

/** The comments of one pull request. */
export interface Forge {
  /** Name in messages: "pull request 7". */
  readonly name: string;
  /** The login of the credential. */
  readonly findAuthor: () => Promise<string>;
  /** A page of its comments, from 1; empty after the last. */
  readonly list: (page: number) => Promise<Comment[]>;
  readonly add: (body: string) => Promise<void>;
  readonly change: (id: number, body: string) => Promise<void>;
}

/** How long one request may take, in milliseconds. */
const timeLimit = 30_000;

/**
 * The pull request that CI runs for; undefined if there is none.
 * @throws Error that names the variable that is missing
 */
export function forgeOf(env: Io["env"]): Forge | undefined {
  const number = /^refs\/pull\/(\d+)\//.exec(env.GITHUB_REF ?? "")?.[1];
  return number === undefined ? gitlabOf(env) : githubOf(env, number);
}

function githubOf(env: Io["env"], number: string): Forge {
  const api = requireVariable(env, "GITHUB_API_URL");
  const repository = `${api}/repos/${requireVariable(env, "GITHUB_REPOSITORY")}`;
  const name = `pull request ${number}`;
  const authorization = `Bearer ${requireVariable(env, "GITHUB_TOKEN")}`;
  const send = senderOf(name, { authorization, accept: "application/vnd.github+json" });
  const comments = `${repository}/issues/${number}/comments`;
  return {
    name,
    // The REST API does not tell a workflow token its login; this GraphQL query works with every token.
    findAuthor: async () => {
      const graphql = env.GITHUB_GRAPHQL_URL;
      const answer = graphql
        ? await send("POST", graphql, { query: "query { viewer { login } }" })
        : await send("GET", `${api}/user`);
      return requireLogin(graphql ? memberOf(memberOf(answer, "data"), "viewer") : answer, "login", name);
    },
    list: async (page) =>
      readComments(await send("GET", `${comments}?per_page=100&page=${page}`), name, "user", "login"),
    add: async (body) => void (await send("POST", comments, { body })),
    change: async (id, body) => void (await send("PATCH", `${repository}/issues/comments/${id}`, { body })),
  };
}

function gitlabOf(env: Io["env"]): Forge | undefined {
  const iid = env.CI_MERGE_REQUEST_IID;
  if (!iid) return undefined;
  const api = requireVariable(env, "CI_API_V4_URL");
  const project = encodeURIComponent(requireVariable(env, "CI_PROJECT_ID"));
  const notes = `${api}/projects/${project}/merge_requests/${encodeURIComponent(iid)}/notes`;
  const name = `merge request ${iid}`;
  const send = senderOf(name, { "private-token": requireVariable(env, "AUDIT_COMMENT_TOKEN") });
  return {
    name,
    findAuthor: async () => requireLogin(await send("GET", `${api}/user`), "username", name),
    list: async (page) =>
      readComments(await send("GET", `${notes}?per_page=100&page=${page}`), name, "author", "username"),
    add: async (body) => void (await send("POST", notes, { body })),
    change: async (id, body) => void (await send("PUT", `${notes}/${id}`, { body })),
  };
}

function requireVariable(env: Io["env"], name: string): string {
  const value = env[name];
  if (!value) throw new Error(`the variable ${name} is missing`);
  return value;
}

const memberOf = (value: unknown, key: string): unknown => (isObject(value) ? value[key] : undefined);

function requireLogin(account: unknown, key: string, name: string): string {
  const login = memberOf(account, key);
  if (typeof login === "string" && login !== "") return login;
  throw new Error(`${name}: the forge does not tell the account of the token. Nothing was commented.`);
}

function readComments(listed: unknown, name: string, author: string, login: string): Comment[] {
  if (!Array.isArray(listed)) throw new Error(`${name}: its comments cannot be read`);
  return listed.filter(isObject).map((comment) => {
    const [body, writer] = [comment.body, memberOf(comment[author], login)];
    return {
      id: Number(comment.id),
      body: typeof body === "string" ? body : "",
      author: typeof writer === "string" ? writer : undefined,
    };
  });
}

type Send = (method: string, url: string, body?: object) => Promise<unknown>;

const senderOf =
  (name: string, headers: Readonly<Record<string, string>>): Send =>
  async (method, url, body) => {
    const request = `${name}: ${method} ${new URL(url).pathname}`;
    const response = await fetch(url, {
      method,
      headers: { ...headers, "content-type": "application/json", "user-agent": "event-datasets" },
      redirect: "error", // the credential goes nowhere else
      signal: AbortSignal.timeout(timeLimit),
      ...defined({ body: body && JSON.stringify(body) }),
    }).catch((failure: Error) => {
      throw new Error(`${request}: no response (${failure.name})`);
    });
    if (!response.ok) throw new Error(`${request}: ${response.status}${hintOf(response.status)}`);
    return await response.json().catch(() => undefined);
  };

const hintOf = (status: number): string =>
  status === 401 || status === 403 || status === 404
    ? ": the token may not comment (pull-requests: write, or api)"
    : "";
