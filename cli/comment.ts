import { readFile } from "node:fs/promises";
import { type Command, type Io, textOf } from "./command";
import { type Forge, forgeOf } from "./comment/forge";
import { withProgress } from "./progress";

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
      io.warn("there is no pull request to comment on");
      return 0;
    }
    const marker = `<!-- event-datasets: ${key} -->`;
    const text = (await textOfFile(file, io)).slice(0, longest);
    await withProgress(`commenting on ${forge.name}`, io.progress, putComment(forge, marker, `${marker}\n${text}`));
    io.warn(`commented on ${forge.name}`);
    return 0;
  },
};

async function textOfFile(file: string, io: Io): Promise<string> {
  const text = await readFile(file, "utf8").catch(() => "");
  if (text.trim() !== "") return text;
  io.warn(`--file ${file}: cannot be read, or is empty: the comment says that nothing could be told`);
  return "## API tokens: could not tell\n\nThe audit came to no result; its log says why.\n";
}

/** Changes the comment with the marker, or adds one. */
async function putComment({ list, add, change }: Forge, marker: string, body: string): Promise<void> {
  for (let page = 1; ; page += 1) {
    const comments = await list(page);
    const own = comments.find((one) => one.body.startsWith(marker));
    if (own) return own.body === body ? undefined : change(own.id, body);
    if (comments.length === 0) return add(body);
  }
}
