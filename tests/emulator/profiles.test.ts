import { expect, test } from "@jest/globals";
import { type AnnotationSpec, annotationFields, offers, type TokenSpec, tokenFields } from "../../sdk";
import { call, start } from "./harness";

/** Every field of the client with a value: the compiler names one that is missing here. */
const annotation: Required<AnnotationSpec> = {
  datasets: ["web"],
  title: "Deployed",
  description: "1.4",
  type: "deploy",
  time: "2026-01-01T00:00:00Z",
  endTime: "2026-01-01T01:00:00Z",
  url: "https://x.example",
};
const token: Required<TokenSpec> = {
  name: "ci",
  description: "for the pipeline",
  expiresAt: "2030-01-01T00:00:00Z",
  datasetCapabilities: { web: { ingest: ["create"] } },
  orgCapabilities: { apiTokens: ["read"] },
  viewCapabilities: { errors: { query: ["read"] } },
};

test.each(["documented", "extended"] as const)("every field that the client sends is taken: %s", async (profile) => {
  await using emulator = await start({ profile });
  for (const [collection, fields, spec] of [
    ["annotations", annotationFields, annotation],
    ["tokens", tokenFields, token],
  ] as const) {
    const sent = Object.entries(fields).filter(([, field]) => offers(profile, field));
    const body = Object.fromEntries(sent.map(([name]) => [name, spec[name as keyof typeof spec]]));
    const made = await call(emulator.url, `POST /v2/${collection}`, { body });
    expect(made.body).toMatchObject(body);
  }
});

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

test.each(["documented", "extended"] as const)(
  "a field that is in no profile gets no hint from %s",
  async (profile) => {
    await using emulator = await start({ profile });
    for (const [line, body] of [
      ["GET /nowhere", undefined],
      ["POST /v2/tokens", { nothing: 1 }],
      ["GET /v2/tokens?nothing=1", undefined],
    ] as const)
      expect((await call(emulator.url, line, { body })).body.message).not.toContain("profile");
  },
);
