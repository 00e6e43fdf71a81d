import { readFileSync } from "node:fs";
import path from "node:path";
import Ajv from "ajv";
import { validateXML } from "xmllint-wasm";

const draft4 = require("ajv/lib/refs/json-schema-draft-04.json") as object;
const fixture = (name: string) => readFileSync(path.join(__dirname, "../fixtures/schemas", name), "utf8");

/** What a JSON Schema of draft 4 or 7 has against a document. */
export function schemaProblems(schema: object, document: unknown): string[] {
  const ajv = new Ajv({ schemaId: "auto", meta: true, unknownFormats: "ignore", allErrors: true });
  ajv.addMetaSchema(draft4);
  const valid = ajv.validate(schema, document);
  return valid ? [] : (ajv.errors ?? []).map(({ dataPath, message }) => `${dataPath} ${message}`);
}

/** What the SARIF 2.1.0 schema has against a document. */
export const sarifProblems = (document: unknown): string[] =>
  schemaProblems(JSON.parse(fixture("sarif-2.1.0-rtm.5.json")), document);

/** What Jenkins' schema of JUnit reports has against a document. */
export async function junitProblems(xml: string): Promise<string[]> {
  const { errors } = await validateXML({
    xml: { fileName: "junit.xml", contents: xml },
    schema: fixture("jenkins-junit.xsd"),
  });
  return errors.map(({ message }) => message);
}
