import { expect, test } from "@jest/globals";
import { ruleIds, rules } from "../../audit";

test("every rule has a title and says what to do", () => {
  for (const rule of ruleIds) {
    expect(rules[rule].title).toMatch(/^[A-Z].*[^.]$/);
    expect(rules[rule].help).toMatch(/\.$/);
  }
});
