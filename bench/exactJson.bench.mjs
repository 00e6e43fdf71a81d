// @ts-check
// Exact JSON against `JSON.parse`: 20 MB of every form that a large response can have. Processor time, the best of three runs.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const size = 20_000_000;

/** @param {number} n */
const big = (n) => String(1_234_567_890_123_456_789n + BigInt(n) * 1_000_003n);
/** @param {number} n @param {string | number} id */
const event = (n, id) =>
  `{"_time":"2026-11-20T00:00:00Z","_rowId":"r${n}","data":{"id":${id},"status":200,"duration":1.25,"method":"GET",` +
  `"uri":"/a?x=\\"${n}\\"","agent":"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36","ok":true,"none":null}}`;

/** @type {Readonly<Record<string, (n: number) => string>>} */
const forms = {
  "integers of 19 digits": big,
  "integers of 16 digits that are not rounded": (n) => String(1_000_000_000_000_000 + n),
  "small integers": () => "1",
  fractions: (n) => (n * 1.1).toFixed(6),
  "short texts": () => '"a"',
  "texts of digits": (n) => `"${big(n)}"`,
  "events with an integer of 19 digits": (n) => event(n, big(n)),
  "events without": (n) => event(n, n),
  "indented objects": (n) => `\n    {\n        "id": ${big(n)},\n        "name": "x"\n    }`,
};

export async function run() {
  const { parseExact } = require("../dist/values/exactJson.js");
  for (const [name, write] of Object.entries(forms)) {
    // One of them is rounded, so that every form is walked for it.
    const parts = ["[12345678901234567890"];
    for (let n = 0, length = 0; length < size; n++) length += parts.push(`,${write(n)}`) && write(n).length + 1;
    const text = `${parts.join("")}]`;
    const ratio = measure(() => parseExact(text)) / measure(() => JSON.parse(text));
    console.log(`${name}: ${ratio.toFixed(1)} times JSON.parse`);
  }
}

/** @param {() => unknown} parse */
function measure(parse) {
  return Math.min(
    ...[1, 2, 3].map(() => {
      const before = process.cpuUsage();
      parse();
      const { user, system } = process.cpuUsage(before);
      return user + system;
    }),
  );
}
