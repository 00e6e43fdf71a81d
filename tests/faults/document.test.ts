import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { marks, matrixAsMarkdown } from "./document";

const file = path.join(__dirname, "../../docs/reliability.md");

/** `npm run faults` sets it, after every cell turned out as the table says. */
const isToBeWritten = process.env.EVENT_DATASETS_WRITE_MATRIX === "true";

test("docs/reliability.md holds the matrix that the tests go through; npm run faults writes it", async () => {
  const text = await readFile(file, "utf8");
  const [start, end] = [text.indexOf(marks.start) + marks.start.length, text.indexOf(marks.end)];
  const matrix = matrixAsMarkdown();
  if (isToBeWritten) await writeFile(file, `${text.slice(0, start)}\n\n${matrix}\n\n${text.slice(end)}`);
  const written = await readFile(file, "utf8");
  expect(written.slice(start, written.indexOf(marks.end)).trim()).toBe(matrix);
});
