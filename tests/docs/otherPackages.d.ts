// The parts that the pages use of packages that only a reader's project has.

declare module "@pulumi/github" {
  type Input<T> = import("@pulumi/pulumi").Input<T>;
  interface SecretArgs {
    repository: Input<string>;
    secretName: Input<string>;
    value?: Input<string | undefined>;
    valueEncrypted?: Input<string | undefined>;
    keyId?: Input<string | undefined>;
  }
  export class ActionsSecret {
    constructor(name: string, args: SecretArgs);
  }
  export function getActionsPublicKeyOutput(args: {
    repository: Input<string>;
  }): import("@pulumi/pulumi").Output<{ id: string; key: string; keyId: string; repository: string }>;
}

declare module "@pulumi/aws";
declare module "@pulumi/gitlab";
declare module "@pulumi/kubernetes";

declare module "vitest" {
  export { expect, test } from "@jest/globals";
}
