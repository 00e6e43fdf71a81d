import { readFile } from "node:fs/promises";
import { type Command, type Io, textOf } from "./command";
import { type Comment, type Forge, forgeOf } from "./comment/forge";
import { withProgress } from "./progress";
import { say } from "./text";

/** More pages than any pull request has; a page has 100 comments. */
const mostPages = 100;

/** A comment on GitHub holds 65,536 characters. */
const longest = 65_000;

/** Keeps one comment on a pull request up to date. */
export const comment: Command = {
  async run(values, io) {
    const file = textOf(values, "file");
    if (file === undefined) throw new Error('--file is missing: see "pulumi-event-datasets comment --help"');
    const key = textOf(values, "key") ?? "audit";
    if (!/^[\w.-]{1,64}$/.test(key)) throw new Error("--key: must be 1 to 64 letters, digits and . _ -");
    const forge = forgeOf(io.env);
    if (!forge) {
      io.warn(say`nothing to comment on: CI does not run for a pull request`);
      return 0;
    }
    const marker = `<!-- event-datasets: ${key} -->`;
    const text = (await textOfFile(file, io)).slice(0, longest);
    await withProgress(say`commenting on ${forge.name}`, io.progress, putComment(forge, marker, `${marker}\n${text}`));
    io.warn(say`commented on ${forge.name}`);
    return 0;
  },
};

async function textOfFile(file: string, io: Io): Promise<string> {
  const text = await readFile(file, "utf8").catch(() => "");
  if (text.trim() !== "") return text;
  io.warn(say`--file ${file}: cannot be read, or is empty: commenting that the audit could not tell`);
  return "## API tokens: could not tell\n\nThe audit has no result. Its log shows the reason.\n";
}

/** Changes our own comment with the marker, or adds one. Comments of other authors are never changed. */
async function putComment(forge: Forge, marker: string, body: string): Promise<void> {
  const own = await findOwn(forge, marker);
  if (own === undefined) return forge.add(body);
  if (own.body !== body) await forge.change(own.id, body);
}

/** Asks for our own login only if a comment has the marker. */
async function findOwn(forge: Forge, marker: string): Promise<Comment | undefined> {
  let author: string | undefined;
  const seen = new Set<number>();
  for (let page = 1; page <= mostPages; page += 1) {
    const comments = (await forge.list(page)).filter(({ id }) => !seen.has(id));
    // No new comments: this is after the last page, or the forge ignores the page number.
    if (comments.length === 0) return undefined;
    for (const comment of comments) {
      seen.add(comment.id);
      if (!comment.body.startsWith(marker)) continue;
      author ??= await forge.findAuthor();
      if (comment.author === author) return comment;
    }
  }
  throw new Error(`${forge.name}: has more than ${mostPages} pages of comments: nothing was commented`);
}
