import { expect, test } from "@jest/globals";
import type { dynamic } from "@pulumi/pulumi";
import { runtime } from "@pulumi/pulumi";
import { dynamicProvider } from "../../provider/dynamic/adapter";
import { apiToken } from "../../provider/lifecycle/token/apiToken";
import { type Behaviour, json, startService } from "../support/service";

const secret = (value: unknown) => ({ [runtime.specialSigKey]: runtime.specialSecretSig, value });

async function providerOf(url: string): Promise<Required<dynamic.ResourceProvider>> {
  const provider = dynamicProvider(apiToken);
  const settings: Readonly<Record<string, string>> = {
    "event-datasets:provider": "own",
    "event-datasets:baseUrl": url,
    "event-datasets:accessToken": "xaat-root",
  };
  await provider.configure({ config: { get: (key: string) => settings[key] } } as dynamic.ConfigureRequest);
  return provider;
}

test("a name that was adopted as a secret stays one when the program does not say it any more", async () => {
  const provider = await providerOf("http://127.0.0.1:1");
  const olds = { name: "canary", adopt: { name: "canary" }, autoName: "ci", secretInputs: ["name"], expiresIn: "90d" };
  const { inputs } = await provider.check(olds, { autoName: "ci", expiresIn: "90d" });
  expect(inputs).toMatchObject({ name: secret("canary"), secretInputs: ["name"], expiresIn: "90d" });
});

test("the end that a secret length comes to leaves the provider as a secret, whatever the hook", async () => {
  let end = "";
  const repeat: Behaviour = (response, request, socket) => {
    if (request.body !== "") end = JSON.parse(request.body).expiresAt;
    return json(200, { id: "t1", name: "ci", token: "xaat-1", expiresAt: end })(response, request, socket);
  };
  await using service = await startService(repeat);
  const provider = await providerOf(service.url);
  const inputs = { name: "ci", expiresIn: "90d", secretInputs: ["expiresAt", "expiresIn"] };
  const created = await provider.create(inputs);
  const hidden = { expiresAt: secret(end), resolvedExpiresAt: secret(end) };
  expect(created.outs).toMatchObject({ ...inputs, expiresAt: secret(end) });
  // As an earlier version recorded it, or a refresh that found another expiry.
  const state = { ...created.outs, expiresAt: end, resolvedExpiresAt: end };
  const read = await provider.read("t1", state);
  expect(read.props).toMatchObject(hidden);
  const { outs } = await provider.update("t1", state, inputs);
  expect(outs).toMatchObject(hidden);
  for (const bag of [created.outs, read.props, outs])
    expect(JSON.stringify({ ...bag, ...hidden, expiresAt: 0, resolvedExpiresAt: 0 })).not.toContain(end);
});
