import { expect, test } from "@jest/globals";
import { engineAddress } from "../../framework/engineWatch";

test.each([
  ["127.0.0.1:4000"],
  ["-v=9", "127.0.0.1:4000"],
  ["--logtostderr", "--logflow", "-v=9", "--tracing", "http://127.0.0.1:9411/api/v1/spans", "127.0.0.1:4000"],
  ["--tracing", "localhost:9411", "127.0.0.1:4000"],
])("the engine's address is found among the arguments that it starts a plugin with: %s", (...args) => {
  expect(engineAddress(["/usr/bin/node", "/srv/plugin.js", ...args])).toBe("127.0.0.1:4000");
});

test.each(["localhost:1", "[::1]:4000", "engine.internal:65535"])("an address can be %s", (address) => {
  expect(engineAddress(["node", "plugin.js", address])).toBe(address);
});

test.each([[], ["-v=9"], ["--tracing", "http://127.0.0.1:9411/api"], ["127.0.0.1:"], [""], ["file:/tmp/trace"]])(
  "without an address there is no engine: %s",
  (...args) => {
    expect(engineAddress(["node", "plugin.js:1", ...args])).toBeUndefined();
  },
);
