// What the pages use of packages that only a reader's project has.

declare module "@pulumi/github" {
  export class ActionsSecret {
    constructor(
      name: string,
      args: {
        repository: Input<string>;
        secretName: Input<string>;
        value?: Input<string | undefined>;
        valueEncrypted?: Input<string | undefined>;
        keyId?: Input<string | undefined>;
      },
    );
  }
  export function getActionsPublicKeyOutput(args: {
    repository: Input<string>;
  }): import("@pulumi/pulumi").Output<{ id: string; key: string; keyId: string; repository: string }>;
  type Input<T> = import("@pulumi/pulumi").Input<T>;
}

declare module "@pulumi/gitlab" {
  export class ProjectVariable {
    constructor(
      name: string,
      args: { project: Input<string>; key: Input<string>; value: Input<string | undefined>; masked?: Input<boolean> },
    );
  }
  type Input<T> = import("@pulumi/pulumi").Input<T>;
}

declare module "@pulumi/kubernetes" {
  export const core: {
    v1: { Secret: new (name: string, args: { stringData: { [key: string]: Input<string | undefined> } }) => object };
  };
  type Input<T> = import("@pulumi/pulumi").Input<T>;
}

declare module "@pulumi/aws" {
  export const secretsmanager: {
    Secret: new (name: string) => { id: import("@pulumi/pulumi").Output<string> };
    SecretVersion: new (
      name: string,
      args: { secretId: Input<string>; secretString: Input<string | undefined> },
    ) => object;
  };
  type Input<T> = import("@pulumi/pulumi").Input<T>;
}

declare module "vitest" {
  export { expect, test } from "@jest/globals";
}
