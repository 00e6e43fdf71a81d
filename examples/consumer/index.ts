// A token and its consumer as one component. The manifest of a Kubernetes Secret contains the token's secret, so the
// whole manifest is a Pulumi secret and encrypted in the state.
import * as pulumi from "@pulumi/pulumi";
import { ApiToken, capabilities } from "pulumi-event-datasets";

interface ShipperArgs {
  readonly dataset: string;
  readonly namespace: string;
}

/** Sends events to one dataset: its token, and the Kubernetes Secret that its pods mount. */
class Shipper extends pulumi.ComponentResource {
  readonly manifest: pulumi.Output<string>;
  readonly fingerprint: pulumi.Output<string | undefined>;

  constructor(name: string, { dataset, namespace }: ShipperArgs, options: pulumi.ComponentResourceOptions = {}) {
    super("example:index:Shipper", name, {}, options);
    const ingest = new ApiToken(
      `${name}-ingest`,
      { ...capabilities.ingest(dataset), expiresIn: "90d", rotation: { rotateBefore: "14d" } },
      { parent: this },
    );
    this.fingerprint = ingest.fingerprint;
    this.manifest = pulumi.jsonStringify({
      apiVersion: "v1",
      kind: "Secret",
      metadata: {
        name: `${name}-token`,
        namespace,
        // Changes with the secret, so that a controller can restart the pods.
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
