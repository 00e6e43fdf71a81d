import { beforeAll, expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import { ApiToken } from "../../provider";
import { findSealed } from "../../provider/shared/seal/recipients";

const age = `age1${"q".repeat(58)}`;
const box = { key: Buffer.alloc(32, 1).toString("base64"), keyId: "7" };
const given: Record<string, unknown>[] = [];

beforeAll(() =>
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => {
      given.push(inputs);
      if (!inputs.sealFor) return { id: name, state: { ...inputs, token: "xaat-canary-0123456789" } };
      return {
        id: name,
        state: { ...inputs, sealedToken: { [age]: "for age", "7": "for 7" }, fingerprint: "0a1b2c3d4e5f" },
      };
    },
    call: () => ({}),
  }),
);

const resolveOutput = <T>(output: pulumi.Output<T>): Promise<T> => new Promise((resolve) => void output.apply(resolve));

test("sealedFor finds the value of a recipient in any spelling, and the fingerprint is the recorded one", async () => {
  const sealFor = pulumi.output([age, { ...box, repository: "web" }]);
  const sealed = new ApiToken("sealed", { sealFor });
  expect(await resolveOutput(sealed.sealedFor(`${age.toUpperCase()}\n`))).toBe("for age");
  expect(await resolveOutput(sealed.sealedFor(pulumi.output({ ...box, repository: "web" })))).toBe("for 7");
  expect(await resolveOutput(sealed.fingerprint)).toBe("0a1b2c3d4e5f");
  expect(given.at(-1)?.sealFor).toEqual([age, { ...box, repository: "web" }]);
});

test("only a token that is not sealed has a secret, and the compiler knows", async () => {
  const plain = new ApiToken("plain", {});
  const secret: pulumi.Output<string> = plain.token;
  expect(await resolveOutput(secret)).toBe("xaat-canary-0123456789");
  expect(await resolveOutput(plain.fingerprint)).toMatch(/^[0-9a-f]{12}$/);
  expect(await resolveOutput(plain.sealedFor())).toBeUndefined();
  const sealed = new ApiToken("sealed", { sealFor: age });
  // @ts-expect-error there is none
  const none: pulumi.Output<string> = sealed.token;
  expect(await resolveOutput(none)).toBeUndefined();
  const whole: ApiToken = plain;
  // @ts-expect-error whoever takes a token for its secret does not take a sealed one
  const mistaken: ApiToken = sealed;
  expect([whole, mistaken]).toEqual([plain, sealed]);
});

test("a recipient that it is not sealed for is an error that names the others; a token without sealed values has none", () => {
  const sealed = { [age]: "for age", "7": "for 7" };
  expect(() => findSealed(sealed, undefined)).toThrow(`sealedFor() needs a recipient: it is sealed for 7, ${age}`);
  expect(() => findSealed(sealed, { ...box, keyId: "8" })).toThrow("the token is not sealed for this recipient");
  expect(findSealed({ [age]: "for age" }, undefined)).toBe("for age");
  expect(findSealed(undefined, age)).toBeUndefined();
  expect(() => findSealed(sealed, undefined, true)).toThrow(/it is sealed for secret ones$/);
});
