import { readFileSync } from "node:fs";
import path from "node:path";
import Ajv from "ajv";
import { validateXML } from "xmllint-wasm";

const draft4 = require("ajv/lib/refs/json-schema-draft-04.json") as object;
const fixture = (name: string) => readFileSync(path.join(__dirname, "../fixtures/schemas", name), "utf8");

type Validate = (document: unknown) => string[];

/** Compiles a JSON Schema of draft 4 or 7: what it has against a document. */
function compile(schema: object): Validate {
  const ajv = new Ajv({ schemaId: "auto", meta: true, unknownFormats: "ignore", allErrors: true });
  ajv.addMetaSchema(draft4);
  const validate = ajv.compile(schema);
  return (document) => {
    validate(document);
    return (validate.errors ?? []).map(({ dataPath, message }) => `${dataPath} ${message}`);
  };
}

/** The errors of a document according to a JSON Schema. */
export const schemaProblems = (schema: object, document: unknown): string[] => compile(schema)(document);

let sarif: Validate | undefined;

/** The errors of a document according to the SARIF 2.1.0 schema. */
export function sarifProblems(document: unknown): string[] {
  sarif ??= compile(JSON.parse(fixture("sarif-2.1.0-rtm.5.json")));
  return sarif(document);
}

/** The errors of a document according to Jenkins' schema for JUnit reports. */
export async function junitProblems(xml: string): Promise<string[]> {
  const { errors } = await validateXML({
    xml: { fileName: "junit.xml", contents: xml },
    schema: fixture("jenkins-junit.xsd"),
  });
  return errors.map(({ message }) => message);
}
