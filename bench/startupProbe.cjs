// @ts-check
// Loaded into each Node.js process of an `up`: appends the moments at which the modules of interest begin and end to load, in
// milliseconds of the clock, to the file that STARTUP_MARKS names.
const { appendFileSync } = require("node:fs");
const Module = require("node:module");

const file = process.env.STARTUP_MARKS ?? "";
/** @type {readonly (readonly [name: string, pattern: RegExp])[]} */
const interesting = [
  ["program", /\/index\.js$/],
  ["package", /pulumi-event-datasets(\/dynamic\/|$)/],
];

/** @param {string} name @param {number} at */
const mark = (name, at) => appendFileSync(file, `${JSON.stringify({ pid: process.pid, name, at })}\n`);

mark("process", performance.timeOrigin);
const loader = /** @type {any} */ (Module);
const load = loader._load;
loader._load = (/** @type {string} */ request, /** @type {unknown} */ parent, /** @type {boolean} */ isMain) => {
  const [name] = interesting.find(([, pattern]) => pattern.test(request)) ?? [];
  if (name === undefined || isMain) return load(request, parent, isMain);
  mark(`${name} begins`, performance.timeOrigin + performance.now());
  try {
    return load(request, parent, isMain);
  } finally {
    mark(`${name} ends`, performance.timeOrigin + performance.now());
  }
};
