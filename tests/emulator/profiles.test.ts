import { expect, test } from "@jest/globals";
import { call, start } from "./harness";

const atDocumented =
  "; the profile extended takes it, but this emulator serves the profile documented: " +
  "start it with --profile extended, or set the client's profile to documented";
const atExtended =
  "the profile documented takes it, but this emulator serves the profile extended: " +
  "start it with --profile documented, or set the client's profile to extended";

test.each<[line: string, body: object | undefined, status: number, problem: string]>([
  ["DELETE /v2/tokens/t1", undefined, 405, "this path takes GET"],
  ["POST /v2/tokens/t1/regenerate", {}, 404, "there is no such path"],
  ["GET /v2/annotations", undefined, 405, "this path takes POST"],
  ["PUT /v2/annotations/a1", {}, 404, "there is no such path"],
  ["POST /v1/datasets/web/ingest", [], 404, "there is no such path"],
  ["POST /v1/datasets/_apl?format=legacy", { apl: "web" }, 400, "there is no such query parameter"],
  ["POST /v1/datasets/_apl", { apl: "web", cursor: "x" }, 400, "cursor: there is no such field"],
  ["POST /v2/tokens", { name: "a", viewCapabilities: {} }, 400, "viewCapabilities: there is no such field"],
])(
  "a client of the extended profile hears from an emulator of the other one what %s lacks",
  async (line, body, status, problem) => {
    await using emulator = await start({ profile: "documented" });
    const answer = await call(emulator.url, line, { body });
    expect(answer).toMatchObject({ status, body: { code: status, message: `${problem}${atDocumented}` } });
  },
);

test.each<[line: string, body: object, problem: string]>([
  ["POST /v1/datasets/_apl", { apl: "web" }, "the query parameter format is required: legacy or tabular; without it, "],
  ["POST /v1/datasets/web/query", { limit: 1 }, "resolution: is required; "],
  ["POST /v2/annotations", { title: "a" }, "datasets: is required; "],
])(
  "a client of the documented profile hears from an emulator of the other one what %s lacks",
  async (line, body, problem) => {
    await using emulator = await start({ profile: "extended" });
    const answer = await call(emulator.url, line, { body });
    expect(answer).toMatchObject({ status: 400, body: { code: 400, message: `${problem}${atExtended}` } });
  },
);
