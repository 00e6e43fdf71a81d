import { bothForms } from "../support/program";

/** Secrets that must be nowhere: one for each place that a user can give one in. */
export const canaries = {
  credential: "xaat-canary-credential-7d1f0c9e5b",
  otherCredential: "xaat-2b8e6a41-canary-of-another-account",
  description: "cnry1-description-<&>-51c7a0e9d3",
  dataset: "cnry2-dataset-capability-8e02f6b1",
  trigger: "cnry3-rotation-trigger-c93a75d0e2",
  adopted: "cnry4-adopted-secret-4f6d1b8a90",
  title: "cnry5-annotation-title-0a9b8c7d6e",
  text: 'cnry6-annotation-text-"quoted"-77e1',
  path: "cnry7-annotation-url-3c5d7e9f",
  expiresAt: "2031-03-07T09:41:53Z",
  expiresIn: "P1Y2M3DT14H35M56S",
  expireAfter: "P1Y4M5DT16H37M58S",
  proxyPassword: "cnry8-proxy-password-1f3a5c7e9b",
} as const;

export type CanaryName = keyof typeof canaries;

/** For the program's environment: what stands in the program's text would be found there. */
export const canaryEnvironment = Object.fromEntries(
  Object.entries(canaries).map(([name, value]) => [`CANARY_${name.toUpperCase()}`, value]),
);

const canary = (name: CanaryName) => `pulumi.secret(process.env.CANARY_${name.toUpperCase()} ?? "")`;

/** A program with a secret in every argument that takes one, in both forms; another generation replaces its tokens. */
export const canaryProgram = (generation: number): string => `import * as pulumi from "@pulumi/pulumi";
${bothForms}
export const known = inBothForms((form, { Annotation, ApiToken, getTokensOutput, Provider }) => {
  new ApiToken(form + "-ci", {
    description: ${canary("description")},
    orgCapabilities: pulumi.secret({ apiTokens: ["read"] }),
    datasetCapabilities: ${canary("dataset")}.apply((name) => ({ [name]: { query: ["read"] } })),
    expiresIn: "90d", rotation: { rotateBefore: "14d", triggers: { generation: ${generation}, by: ${canary("trigger")} } },
  });
  new ApiToken(form + "-plain", { expiresIn: "30d", description: "generation ${generation}" });
  new ApiToken(form + "-dated", { expiresAt: ${canary("expiresAt")}, description: "generation ${generation}" });
  new ApiToken(form + "-counted", { expiresIn: ${canary("expiresIn")}, description: "generation ${generation}" });
  new ApiToken(form + "-turning", {
    description: "generation ${generation}",
    expiresIn: ${canary("expireAfter")}, rotation: { rotateBefore: "14d" },
  });
  const other = new Provider(form + "-other", {
    baseUrl: process.env.EVENT_DATASETS_BASE_URL ?? "",
    accessToken: ${canary("credential")},
    profile: "extended",
  });
  new ApiToken(form + "-elsewhere", { expiresIn: "30d" }, { provider: other });
  new Annotation(form + "-deployed", {
    datasets: ["web"],
    type: "deploy",
    title: ${canary("title")},
    description: ${canary("text")},
    url: ${canary("path")}.apply((name) => "https://example.com/" + name),
  });
  if (process.env.CANARY_FAILURE) {
    new ApiToken(form + "-adopted", { name: "nobody", adopt: { id: "nobody", token: ${canary("adopted")} } });
    // A loopback address is reached without a proxy, and this one through it alone.
    const beyond = new Provider(form + "-beyond", { baseUrl: "https://service.invalid", accessToken: ${canary("credential")} });
    new ApiToken(form + "-beyond", { expiresIn: "30d", description: ${canary("description")} }, { provider: beyond });
  }
  return getTokensOutput({}).tokens.length;
});
`;
