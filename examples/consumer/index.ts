// A token and what uses it, as one component of your own. The secret goes into the manifest of a Kubernetes Secret: the
// whole manifest is a Pulumi secret then, encrypted in the state, since it holds one.
//
//   pulumi stack output manifest --show-secrets | kubectl apply --filename -
import * as pulumi from "@pulumi/pulumi";
import { ApiToken, capabilities } from "pulumi-event-datasets";

interface ShipperArgs {
  readonly dataset: string;
  readonly namespace: string;
}

/** What ships events into one dataset: its token, and the Secret that its pods mount. */
class Shipper extends pulumi.ComponentResource {
  readonly manifest: pulumi.Output<string>;
  readonly fingerprint: pulumi.Output<string | undefined>;

  constructor(name: string, { dataset, namespace }: ShipperArgs, options: pulumi.ComponentResourceOptions = {}) {
    super("example:index:Shipper", name, {}, options);
    const ingest = new ApiToken(
      `${name}-ingest`,
      { ...capabilities.ingest(dataset), rotation: { expireAfter: "90d", rotateBefore: "14d" } },
      { parent: this },
    );
    this.fingerprint = ingest.fingerprint;
    this.manifest = pulumi.jsonStringify({
      apiVersion: "v1",
      kind: "Secret",
      metadata: {
        name: `${name}-token`,
        namespace,
        // Another secret, another annotation: what watches it restarts the pods.
        annotations: { "example.com/fingerprint": ingest.fingerprint },
      },
      stringData: { token: ingest.token },
    });
    this.registerOutputs({ manifest: this.manifest, fingerprint: this.fingerprint });
  }
}

const shipper = new Shipper("shipper", { dataset: "deploys", namespace: "logging" });

export const manifest = shipper.manifest;
export const fingerprint = shipper.fingerprint;
