import { defined } from "../../sdk/values/defined";
import { isObject } from "../../sdk/values/json";
import type { Io } from "../command";

/** One comment, as both forges answer it. */
interface Comment {
  readonly id: number;
  readonly body: string;
}

/** The comments of one pull request. */
export interface Forge {
  /** How to call it: "pull request 7". */
  readonly name: string;
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
  if (number !== undefined) {
    const repository = `${required(env, "GITHUB_API_URL")}/repos/${required(env, "GITHUB_REPOSITORY")}`;
    return connect({
      name: `pull request ${number}`,
      comments: `${repository}/issues/${number}/comments`,
      comment: (id) => `${repository}/issues/comments/${id}`,
      method: "PATCH",
      headers: { authorization: `Bearer ${required(env, "GITHUB_TOKEN")}`, accept: "application/vnd.github+json" },
    });
  }
  const iid = env.CI_MERGE_REQUEST_IID;
  if (!iid) return undefined;
  const project = encodeURIComponent(required(env, "CI_PROJECT_ID"));
  const notes = `${required(env, "CI_API_V4_URL")}/projects/${project}/merge_requests/${encodeURIComponent(iid)}/notes`;
  return connect({
    name: `merge request ${iid}`,
    comments: notes,
    comment: (id) => `${notes}/${id}`,
    method: "PUT",
    headers: { "private-token": required(env, "AUDIT_COMMENT_TOKEN") },
  });
}

function required(env: Io["env"], name: string): string {
  const value = env[name];
  if (!value) throw new Error(`the variable ${name} is missing`);
  return value;
}

interface Addresses {
  readonly name: string;
  readonly comments: string;
  readonly comment: (id: number) => string;
  readonly method: "PATCH" | "PUT";
  readonly headers: Readonly<Record<string, string>>;
}

function connect({ name, comments, comment, method, headers }: Addresses): Forge {
  const send = async (method: string, url: string, body?: string): Promise<unknown> => {
    const answer = await fetch(url, {
      method,
      headers: { ...headers, "content-type": "application/json", "user-agent": "event-datasets" },
      redirect: "error", // the credential goes nowhere else
      signal: AbortSignal.timeout(timeLimit),
      ...defined({ body: body === undefined ? undefined : JSON.stringify({ body }) }),
    }).catch((failure: Error) => {
      throw new Error(`${name}: ${method} ${new URL(url).pathname}: no answer (${failure.name})`);
    });
    if (!answer.ok)
      throw new Error(`${name}: ${method} ${new URL(url).pathname}: ${answer.status}${hintOf(answer.status)}`);
    return await answer.json().catch(() => undefined);
  };
  return {
    name,
    list: async (page) => {
      const listed = await send("GET", `${comments}?per_page=100&page=${page}`);
      if (!Array.isArray(listed)) throw new Error(`${name}: its comments cannot be read`);
      return listed
        .filter(isObject)
        .map(({ id, body }) => ({ id: Number(id), body: typeof body === "string" ? body : "" }));
    },
    add: async (body) => void (await send("POST", comments, body)),
    change: async (id, body) => void (await send(method, comment(id), body)),
  };
}

const hintOf = (status: number): string =>
  status === 401 || status === 403 || status === 404
    ? ": the token may not comment (pull-requests: write, or api)"
    : "";
