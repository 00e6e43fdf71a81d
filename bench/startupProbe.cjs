// @ts-check
// Loaded into each Node.js process of an `up`. A process that loads this package appends its moments to a file, in milliseconds
// of the clock: its own start, before and after it loads the package, and each request. The SDK is loaded completely before the
// package: nearly every program imports all of it, while what starts a program has loaded a part. A provider host has loaded it.
const { appendFileSync } = require("node:fs");
const { subscribe } = require("node:diagnostics_channel");
const loader = /** @type {any} */ (require("node:module"));

const note = (at = performance.timeOrigin + performance.now()) =>
  appendFileSync(process.env.STARTUP_MOMENTS ?? "", `${at}\n`);

const load = loader._load;
loader._load = (/** @type {string} */ request, /** @type {unknown[]} */ ...rest) => {
  if (!/^pulumi-event-datasets(\/|$)/.test(request)) return load(request, ...rest);
  loader._load = load; // the package's entry loads all of its other modules
  note(performance.timeOrigin);
  load("@pulumi/pulumi", ...rest);
  note();
  const loaded = load(request, ...rest);
  note();
  return loaded;
};
subscribe("undici:request:create", () => note());
