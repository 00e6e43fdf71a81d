// @ts-check
// 300 stacks through --all-stacks, with a Pulumi CLI that takes as long for each as the real one does for a small stack on
// a self-managed backend (0.5 s): one after the other they would take 150 s.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { compare, measure } from "./measure.mjs";

const stacks = 300;
const perStack = 10;
const cli = path.join(import.meta.dirname, "..", "dist", "cli", "main.js");
const expiresAt = "2999-01-01T00:00:00Z";

/** @param {number} stack */
const stateOf = (stack) => ({
  version: 3,
  deployment: {
    resources: Array.from({ length: perStack }, (_, at) => ({
      urn: `urn:pulumi:s${stack}::bench::pulumi-nodejs:event-datasets:ApiToken::t${at}`,
      custom: true,
      id: `${stack}-${at}`,
      type: "pulumi-nodejs:event-datasets:ApiToken",
      inputs: { name: `t${stack}-${at}`, expiresAt },
      outputs: { name: `t${stack}-${at}`, expiresAt },
    })),
  },
});

export async function run() {
  const folder = await mkdtemp(path.join(tmpdir(), "bench-stacks-"));
  const names = Array.from({ length: stacks }, (_, n) => `organization/bench/s${n}`);
  const live = names.flatMap((_, n) =>
    Array.from({ length: perStack }, (_, at) => ({ id: `${n}-${at}`, name: `t${n}-${at}`, expiresAt })),
  );
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(live));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  try {
    for (const [n] of names.entries()) await writeFile(path.join(folder, `s${n}.json`), JSON.stringify(stateOf(n)));
    await writeFile(path.join(folder, "list.json"), JSON.stringify(names.map((name) => ({ name }))));
    await mkdir(path.join(folder, "bin"));
    const script = `#!/bin/sh\ncd "${folder}"\n[ "$2" = ls ] && exec cat list.json\nsleep 0.5\nexec cat "\${3##*/}.json"\n`;
    await writeFile(path.join(folder, "bin", "pulumi"), script, { mode: 0o755 });
    const address = server.address();
    const env = {
      PATH: `${path.join(folder, "bin")}:${process.env.PATH}`,
      EVENT_DATASETS_BASE_URL: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
      EVENT_DATASETS_ACCESS_TOKEN: "bench",
    };
    const measured = [await measure("audit --all-stacks", [cli, "audit", "--all-stacks"], env)];
    const broken = measured.find(({ code }) => code !== 0);
    if (broken) throw new Error(`${broken.name}: exit code ${broken.code}\n${broken.stderr}`);
    compare(measured);
  } finally {
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true, force: true });
  }
}
