import { expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import { ApiToken, Provider } from "../../provider";

pulumi.runtime.setMocks({
  newResource: ({ name, inputs }) => ({ id: name, state: { ...inputs, token: "xaat-made" } }),
  call: ({ inputs }) => inputs,
});

const read = <T>(output: pulumi.Output<T>) => new Promise<T>((resolve) => void output.apply(resolve));

test("an argument of a token that is null is absent, also with deleteBeforeReplace", async () => {
  const args = { rotation: null, adopt: null, sealFor: null, expiresAt: null } as never;
  for (const options of [{}, { deleteBeforeReplace: true }]) {
    const { rotatesAt, fingerprint } = new ApiToken(`ci-${Object.keys(options).length}`, args, options);
    expect([await read(rotatesAt), await read(fingerprint)]).toEqual([undefined, expect.any(String)]);
  }
});

test("an argument of a provider that is null is absent, and absent arguments are named", async () => {
  const args = { baseUrl: "https://api.example.com", accessToken: "xaat-a", profile: null, orgId: pulumi.output(null) };
  const { connection } = new Provider("prod", args as never);
  const { profile, orgId } = await read(connection);
  expect([profile, orgId]).toEqual([undefined, undefined]);
  expect(() => new Provider("none", undefined as never)).toThrow("argument baseUrl is missing or empty");
});
