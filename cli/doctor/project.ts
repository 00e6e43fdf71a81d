import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** Files of programs, in the languages of Pulumi. */
const programs = /\.(?:[cm]?[jt]sx?|py|go|cs|fs|java|kt|ya?ml)$/;

/** Folders with code of others, or with what a build made. */
const skipped = /^(?:\..*|node_modules|vendor|venv|dist|build|bin|obj|target)$/;

/** The parts of a program that need a capability of the access token: their names for people, and in every language. */
export const users = {
  tokens: { names: "ApiToken, getToken(s) and audit", pattern: /\bApiToken\b|\bget_?Tokens?\b/i },
  queries: {
    names: "QueryGate, queryApl, queryDataset and query",
    pattern: /\bQueryGate\b|\bquery_?(?:Apl|Dataset)\b/i,
  },
  annotations: { names: "Annotation", pattern: /\bAnnotation\b/ },
} as const;

/** The names of our resources and functions in the files of a project that mention this package: what its access token has to allow. */
export type Uses = Readonly<Partial<Record<keyof typeof users, string>>>;

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
