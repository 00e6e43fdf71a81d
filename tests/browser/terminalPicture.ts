import { readFile } from "node:fs/promises";
import path from "node:path";
import { createDeployment } from "../support/deployment";
import { CHECKOUT } from "../support/program";

const columns = 100;
const lineHeight = 20;

/** The lines that a reader of `pulumi up` looks at: without the steps under way, and each warning once. */
const isShown = (line: string): boolean =>
  !/^@|creating|replacing|deleting|^ +pulumi:pulumi:Stack |^Duration/.test(line);

const colours: readonly (readonly [RegExp, string])[] = [
  [/^\$/, "#ffffff"],
  [/^ \+\+/, "#7ee787"],
  [/^ \+-/, "#d2a8ff"],
  [/^ --/, "#ff9492"],
  [/^ +warning:/, "#f2cc60"],
];

/** Rotates the token of examples/rotation with the real engine, and draws what it printed as a terminal. */
export async function drawRotation(): Promise<string> {
  const program = { "index.ts": await readFile(path.join(CHECKOUT, "examples/rotation/index.ts"), "utf8") };
  await using deployment = await createDeployment({ program, hosts: "engine", profile: "extended" });
  const { workspace } = deployment;
  await workspace.up();
  await workspace.setConfig("generation", "2");
  const { stdout } = await workspace.up();
  const printed = stdout.slice(stdout.indexOf("Updating (")).trimEnd().split("\n").filter(isShown);
  return drawTerminal(["$ pulumi up", ...printed.map((line) => line.replace("e2e-dev", "rotation-dev").trimEnd())]);
}

const escapeText = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

function drawTerminal(lines: readonly string[]): string {
  const rows = lines.flatMap((line) => {
    const fill = colours.find(([pattern]) => pattern.test(line))?.[1] ?? "#d1d7e0";
    return wrap(line).map((text) => ({ text, fill }));
  });
  const height = rows.length * lineHeight + 32;
  const texts = rows.map(
    ({ text, fill }, row) =>
      `<text x="16" y="${row * lineHeight + 30}" fill="${fill}" xml:space="preserve">${escapeText(text)}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 840 ${height}" width="840" height="${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13">`,
    "<title>pulumi up replaces a token and revokes the old one</title>",
    `<rect width="840" height="${height}" rx="8" fill="#151b23"/>`,
    ...texts,
    "</svg>\n",
  ].join("\n");
}

/** A terminal of this many columns breaks a line between words; the rest is indented as the line is. */
function wrap(line: string): string[] {
  const indent = /^ */.exec(line)?.[0] ?? "";
  const rows = [""];
  for (const word of line.split(/(?<= )(?=\S)/)) {
    const last = rows[rows.length - 1] ?? "";
    if (last.trim() !== "" && (last + word).trimEnd().length > columns) rows.push(indent + word);
    else rows[rows.length - 1] = last + word;
  }
  return rows;
}
