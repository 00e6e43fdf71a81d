import schema from "../../schema.json";

/** The examples in the descriptions of the schema in one language, each a whole program, by the name of their resource or function. */
export function examplesIn(language: "typescript" | "go" | "yaml"): readonly (readonly [string, string])[] {
  const described = { ...schema.resources, ...schema.functions, Provider: schema.provider };
  return Object.entries(described).map(([token, { description }]) => {
    const [, code = ""] = new RegExp(`\\n\`\`\`${language}\\n(.*?)\\n\`\`\``, "s").exec(description) ?? [];
    return [token.slice(token.lastIndexOf(":") + 1), code];
  });
}
