/** Colours of a terminal by the codes 0 to 7; the codes for bright colours have the same names. */
const colours = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

const style = `
  :root { color-scheme: light dark; --black: #1f2328; --red: #cf222e; --green: #1a7f37; --yellow: #9a6700; --blue: #0969da;
    --magenta: #8250df; --cyan: #1b7c83; --white: #59636e; --text: #1f2328; --back: #f6f8fa; --line: #d0d7de; }
  @media (prefers-color-scheme: dark) { :root { --black: #9198a1; --red: #ff7b72; --green: #3fb950; --yellow: #d29922;
    --blue: #58a6ff; --magenta: #bc8cff; --cyan: #39c5cf; --white: #b1bac4; --text: #e6edf3; --back: #0d1117; --line: #30363d; } }
  body { margin: 0; } pre { margin: 0; padding: 20px 24px; font: 15px/1.5 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
    color: var(--text); background: var(--back); border: 1px solid var(--line); border-radius: 8px; box-sizing: border-box;
    min-height: 100vh; }
  .bold { font-weight: 600; } .dim { opacity: 0.75; }`;

const escapeSequence = new RegExp(String.raw`${String.fromCharCode(27)}\[([\d;]*)m`);

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** The classes of text and its colour after an escape sequence for colours (SGR). */
function applyCodes(codes: readonly number[], before: Look): Look {
  let look = before;
  for (let n = 0; n < codes.length; n += 1) {
    const code = codes[n] ?? 0;
    if (code === 0) look = plain;
    else if (code === 1) look = { ...look, bold: true };
    else if (code === 2) look = { ...look, dim: true };
    else if (code === 39) look = { ...look, colour: undefined };
    else if (code === 38 && codes[n + 1] === 5) {
      look = { ...look, colour: colours[(codes[n + 2] ?? 7) % 8] };
      n += 2;
    } else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) look = { ...look, colour: colours[code % 10] };
  }
  return look;
}

interface Look {
  readonly bold: boolean;
  readonly dim: boolean;
  readonly colour: string | undefined;
}

const plain: Look = { bold: false, dim: false, colour: undefined };

/** A page that shows the output of a command as a terminal does, in light and dark. */
export function terminalPage(output: string): string {
  let look = plain;
  const parts = output.split(escapeSequence);
  const spans = parts.map((part, n) => {
    if (n % 2 === 1) {
      look = applyCodes(part.split(";").map(Number), look);
      return "";
    }
    const names = [look.bold ? "bold" : "", look.dim ? "dim" : ""].filter(Boolean).join(" ");
    const colour = look.colour ? ` style="color: var(--${look.colour})"` : "";
    return part === "" ? "" : `<span class="${names}"${colour}>${escapeHtml(part)}</span>`;
  });
  return `<!doctype html><meta charset="utf-8"><title>Terminal</title><style>${style}</style><pre>${spans.join("")}</pre>`;
}
