import { readFile } from "node:fs/promises";
import { type Command, type Io, textOf } from "./command";
import { type Comment, type Forge, forgeOf } from "./comment/forge";
import { withProgress } from "./progress";
import { say } from "./text";

/** No pull request has so many pages of comments, a hundred each. */
const mostPages = 100;

/** A comment on GitHub holds 65,536 characters. */
const longest = 65_000;

/** Keeps one comment on a pull request up to date. */
export const comment: Command = {
  async run(values, io) {
    const file = textOf(values, "file");
    if (file === undefined) throw new Error('--file is missing: see "event-datasets comment --help"');
    const key = textOf(values, "key") ?? "audit";
    if (!/^[\w.-]{1,64}$/.test(key)) throw new Error("--key: must be 1 to 64 letters, digits and . _ -");
    const forge = forgeOf(io.env);
    if (!forge) {
      io.warn(say`there is no pull request to comment on`);
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
  io.warn(say`--file ${file}: cannot be read, or is empty: the comment says that nothing could be told`);
  return "## API tokens: could not tell\n\nThe audit came to no result; its log says why.\n";
}

/** Changes our own comment with the marker, or adds one. Nobody else's is touched, whatever it says. */
async function putComment(forge: Forge, marker: string, body: string): Promise<void> {
  const own = await findOwn(forge, marker);
  if (own === undefined) return forge.add(body);
  if (own.body !== body) await forge.change(own.id, body);
}

/** Who we are is asked only where a comment has the marker. */
async function findOwn(forge: Forge, marker: string): Promise<Comment | undefined> {
  let author: string | undefined;
  const seen = new Set<number>();
  for (let page = 1; page <= mostPages; page += 1) {
    const comments = (await forge.list(page)).filter(({ id }) => !seen.has(id));
    // After the last page, or on a forge that answers every page with the same one, there is nothing new.
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
