import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { filesBelow } from "../support/checkout";
import { CHECKOUT } from "../support/program";
import { readMarkdown } from "./markdown";

/** The texts of the sources. `…` stands for an inserted value; texts that the code joins with a space are one text. */
function readMessages(): string {
  const files = ["values", "sdk", "framework", "provider", "cli"].flatMap((folder) =>
    filesBelow(folder, /\.ts$/).map((file) => readFileSync(path.join(CHECKOUT, file), "utf8")),
  );
  return files
    .join("\n")
    .replaceAll(/\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, "…")
    .replaceAll(/["`],\s+["`]/g, " ");
}

test("every message of the troubleshooting page is one that the code can say", () => {
  const { text } = readMarkdown("docs/guides/troubleshooting.md");
  const headings = text.slice(text.indexOf("\n## Installation")).match(/^### .*$/gm) ?? [];
  const messages = headings.map((heading) => heading.match(/^### `(.+)`$/)?.[1] ?? `${heading}: quotes no message`);
  expect(messages.length).toBeGreaterThan(20);
  const said = readMessages();
  const invented = messages.filter((message) => !said.includes(message) && !isSaidInPieces(said, message));
  expect(invented).toEqual([]);
});

/** A text whose variable part is a whole sentence of code: its fixed parts must be there, in words enough to be told apart. */
const isSaidInPieces = (said: string, message: string): boolean =>
  message.split("…").every((piece) => said.includes(piece.trim())) && message.replaceAll("…", "").trim().length > 12;
