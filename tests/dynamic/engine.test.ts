import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { engineAddress } from "../../framework/engineWatch";
import { CHECKOUT } from "../support/program";
import { listen } from "../support/service";

const provider = join(CHECKOUT, "dist/provider/v1/api-token.js");

/** Loads a provider as the host does, calls nothing of it, and stays. */
const script = `require(${JSON.stringify(provider)}); process.stdout.write("loaded"); setInterval(() => undefined, 1e6);`;

// The engine puts the flags that it was called with before its address.
test.each([{ flags: [] }, { flags: ["--logflow", "-v=9", "--tracing", "http://127.0.0.1:9411/api/v1/spans"] }])(
  "a host whose engine is gone ends though no provider was configured ($flags)",
  async ({ flags }) => {
    const engine = createServer((socket) => socket.on("error", () => socket.destroy()));
    const address = `127.0.0.1:${await listen(engine)}`;
    // A double dash, or Node.js takes the flags for its own; `node -e` has no script among its arguments; "host" stands for it.
    const child = spawn(process.execPath, ["-e", script, "--", "host", ...flags, address], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      await once(child.stdout, "data");
      engine.close();
      expect(await once(child, "exit")).toEqual([1, null]);
    } finally {
      child.kill("SIGKILL");
    }
  },
);

test("a line for the engine leaves project and stack to the other providers of the process", async () => {
  const talk = `const { runtime } = require("@pulumi/pulumi");
    require(${JSON.stringify(provider)}).handler().check({}, { key: "ci" }).then(({ failures }) => {
      console.log(runtime.getProject(), runtime.getStack(), runtime.hasEngine(), failures.length > 0);
      process.exit();
    });`;
  const env = { ...process.env, PULUMI_NODEJS_PROJECT: "web", PULUMI_NODEJS_STACK: "prod" };
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", talk, "--", "host", "127.0.0.1:1"], {
    cwd: CHECKOUT,
    env,
  });
  expect(stdout.trim()).toBe("web prod true true");
});

test.each<[string | undefined, readonly string[]]>([
  ["127.0.0.1:4000", ["127.0.0.1:4000"]],
  ["127.0.0.1:4000", ["--logflow", "-v=9", "--tracing", "http://127.0.0.1:9411/api/v1/spans", "127.0.0.1:4000"]],
  ["127.0.0.1:4000", ["--tracing", "localhost:9411", "127.0.0.1:4000"]],
  ...["localhost:1", "[::1]:4000", "engine.internal:65535"].map((one): [string, string[]] => [one, [one]]),
  [undefined, []],
  [undefined, ["--tracing", "http://127.0.0.1:9411/api"]],
  ...["-v=9", "127.0.0.1:", "", "file:/tmp/trace"].map((one): [undefined, string[]] => [undefined, [one]]),
])("the engine is at %s if a plugin was started with %j", (address, args) => {
  expect(engineAddress(["/usr/bin/node", "/srv/plugin.js:1", ...args])).toBe(address);
});
