import { readFile } from "node:fs/promises";
import type { DatasetRequest } from "../../sdk";
import { parseExact } from "../../values/exactJson";
import { isObject } from "../../values/json";
import { suggestName } from "../../values/nearestName";
import { timeOf } from "./times";

const fields: ReadonlySet<string> = new Set<keyof DatasetRequest>([
  "aggregations",
  "continuationToken",
  "cursor",
  "endTime",
  "filter",
  "groupBy",
  "includeCursor",
  "limit",
  "order",
  "project",
  "queryOptions",
  "resolution",
  "startTime",
  "virtualFields",
]);

/**
 * The structured query of a file. What its fields hold is for the service to judge; a field that there is none of is
 * refused here, or a slip of the pen would ask another question.
 * @throws Error that names the file
 */
export async function readRequest(file: string, now: Date): Promise<DatasetRequest> {
  const text = await readFile(file, "utf8").catch((failure: NodeJS.ErrnoException) => {
    throw new Error(`--request ${file}: cannot be read (${failure.code})`);
  });
  const request = objectOf(text);
  if (!request) throw new Error(`--request ${file}: is not a JSON object`);
  const strange = Object.keys(request).find((name) => !fields.has(name));
  if (strange !== undefined)
    throw new Error(
      `--request ${file}: there is no field ${JSON.stringify(strange.slice(0, 80))} in a structured query${suggestName(strange, [...fields])}`,
    );
  for (const field of ["startTime", "endTime"]) {
    const time = request[field];
    if (typeof time === "string" && time.startsWith("now"))
      request[field] = timeOf(time, `--request ${file}: ${field}`, now);
  }
  return request;
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseExact(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // the parser's message quotes the text
  }
}
