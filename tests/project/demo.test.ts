import path from "node:path";
import { expect, test } from "@jest/globals";
import ts from "typescript";

test("the root's tsconfig.json takes no JavaScript for source: with it the engine's compiler refuses the demo (TS5011)", () => {
  const { config } = ts.readConfigFile(path.resolve(__dirname, "../../tsconfig.json"), ts.sys.readFile);
  expect(config.include).toContain("index.ts");
  expect(config.compilerOptions).not.toHaveProperty("allowJs");
});
