#!/usr/bin/env node
import { type ParseArgsConfig, parseArgs } from "node:util";
import { rootTokenVariable, serveFlags, serveText } from "./flags";
import { serve } from "./serve";

const name = "event-datasets-emulator";

const options: NonNullable<ParseArgsConfig["options"]> = {
  help: { type: "boolean", short: "h" },
  ...Object.fromEntries(
    Object.entries(serveFlags).map(([flag, spec]) => [
      flag,
      { type: "value" in spec ? ("string" as const) : ("boolean" as const), multiple: "multiple" in spec },
    ]),
  ),
};

async function main(): Promise<void> {
  const { values } = parseArgs({ options });
  if (values.help === true) {
    process.stdout.write(`${helpText()}\n`);
    return;
  }
  await serve(values, {
    print: (line) => process.stdout.write(`${line}\n`),
    warn: (line) => process.stderr.write(`${name}: ${line}\n`),
    env: process.env,
    stopped: () =>
      new Promise<void>((resolve) => {
        for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
      }),
    progress: (_, work) => work,
  });
}

function helpText(): string {
  const flags = Object.entries(serveFlags).map(([flag, spec]) => {
    const value = "value" in spec ? ` <${spec.value}>` : "";
    const preset = "preset" in spec ? ` (default: ${spec.preset})` : "";
    return `  --${flag}${value}\n      ${spec.help}${preset}`;
  });
  return [`Usage: ${name} [options]`, ...serveText, "Options:", ...flags, `Environment: ${rootTokenVariable}`].join(
    "\n\n",
  );
}

main().catch((failure: Error) => {
  process.stderr.write(`${name}: ${failure.message}\n`);
  process.exitCode = 2;
});
