import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { type EventDatasets, isApiError, isStatus } from "../../sdk";
import { clockTolerance } from "../../values/instant";
import type { Io } from "../command";
import { connect } from "../connection";
import { count } from "../text";

const others = "other capabilities were not checked: checking them would change something";

/**
 * A request for each capability that can be checked without an effect: the documented interface does not tell them. Returns the words for its
 * response; undefined: the profile does not have the request.
 */
const requests: Readonly<Record<keyof typeof users, (client: EventDatasets) => Promise<string | undefined>>> = {
  tokens: async (client) => {
    const { length, odd } = await client.tokens.list();
    const rest = odd.length > 0 ? `, ${odd.length} of them not as documented` : "";
    return `${client.baseUrl} answers, and the access token may list tokens: ${count(length, "token")}${rest}`;
  },
  // It reads no dataset: only its response shows whether the service takes the requests of this profile.
  queries: async (client) => {
    const now = Date.now();
    await client.queries.apl({ apl: "print 1", startTime: new Date(now - 60_000), endTime: new Date(now) });
    return `a query works with the profile ${client.profile}`;
  },
  annotations: async (client) => {
    if (!client.can("annotations.list")) return undefined;
    const { length } = await client.annotations.list();
    return `the access token may list annotations: ${count(length, "annotation")}; ${others}`;
  },
};

/** Checks the service with the access token, and its clock. */
export async function checkService(io: Io, uses: Uses): Promise<Check[]> {
  let client: EventDatasets;
  try {
    client = connect(io);
  } catch (failure) {
    return [fail((failure as Error).message)];
  }
  await using _ = client;
  const checks: Check[] = [];
  for (const key of ["tokens", "queries", "annotations"] as const)
    checks.push(
      await requests[key](client).then(
        (words) => (words === undefined ? skip(others) : pass(words)),
        (failure) => describeFailure(failure, key, uses),
      ),
    );
  return [...checks, checkClock(client)];
}

/**
 * A refusal tells what is wrong; without a response nothing is known. A capability that the access token lacks is a problem only if this folder
 * uses it: an access token for one purpose, such as annotate, lacks all others on purpose.
 */
function describeFailure(failure: unknown, key: keyof typeof users, uses: Uses): Check {
  if (!isApiError(failure)) throw failure;
  const { message, status = 500, mayBeProfile } = failure;
  if (status >= 500) return missAnswer(message);
  const isLack = isStatus(failure, 403);
  // The settings are fine if the service does not take this query.
  if (!isLack && (key !== "queries" || mayBeProfile)) return fail(message);
  const text = `${message}. This request is needed for ${users[key].names}`;
  const use = isLack ? uses[key] : undefined;
  return use === undefined ? skip(`${text}, but not for this folder`) : fail(`${text}, and this folder uses ${use}`);
}

function checkClock({ clock }: EventDatasets): Check {
  const offset = clock.offset();
  if (offset === undefined) return skip("clock: the service's responses do not show its time");
  const seconds = Math.round(Math.abs(offset) / 1000);
  // The header of a response has whole seconds.
  if (Math.abs(offset) <= clockTolerance) return pass(`clock: within ${Math.max(2, seconds)} s of the service's`);
  const direction = offset < 0 ? "ahead of" : "behind";
  return fail(`clock: ${seconds} s ${direction} the service's: expiries that this machine computes are off by as much`);
}

/** The result of one check. */
export interface Check {
  /**
   * `advice`: it works, but there is a safer way; `unknown`: it could not be checked; `silent`: the service did not respond, so
   * the result is incomplete.
   */
  readonly state: "ok" | "advice" | "problem" | "unknown" | "silent";
  readonly text: string;
}

export const pass = (text: string): Check => ({ state: "ok", text });
export const advise = (text: string): Check => ({ state: "advice", text });
export const fail = (text: string): Check => ({ state: "problem", text });
export const skip = (text: string): Check => ({ state: "unknown", text });
export const missAnswer = (text: string): Check => ({ state: "silent", text });

/** Files of programs, in the languages of Pulumi. */
const programs = /\.(?:[cm]?[jt]sx?|py|go|cs|fs|java|kt|ya?ml)$/;

/** Folders with code of others, or with what a build made. */
const skipped = /^(?:\..*|node_modules|vendor|venv|dist|build|bin|obj|target)$/;

/** The parts of a program that need a capability of the access token: their names for people, and in every language. */
const users = {
  tokens: { names: "ApiToken, getToken(s) and audit", pattern: /\bApiToken\b|\bget_?Tokens?\b/i },
  queries: {
    names: "QueryGate, queryApl, queryDataset and query",
    pattern: /\bQueryGate\b|\bquery_?(?:Apl|Dataset)\b/i,
  },
  annotations: { names: "Annotation", pattern: /\bAnnotation\b/ },
} as const;

/**
 * The names of this package's resources and functions in the project files that mention the package: they show which
 * capabilities the access token needs.
 */
type Uses = Readonly<Partial<Record<keyof typeof users, string>>>;

export async function findUses(folder: string): Promise<Uses> {
  let uses: Uses = {};
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory() && !skipped.test(entry.name)) uses = { ...(await findUses(place)), ...uses };
    if (!entry.isFile() || !programs.test(entry.name)) continue;
    const text = await readFile(place, "utf8").catch(() => "");
    if (!/event[-_]?datasets/i.test(text)) continue;
    const found = Object.entries(users).map(([key, { pattern }]) => [key, pattern.exec(text)?.[0]] as const);
    uses = { ...Object.fromEntries(found.filter(([, name]) => name !== undefined)), ...uses };
  }
  return uses;
}
