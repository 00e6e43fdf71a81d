"""A token that is renewed before it expires, and what a lookup says of it."""

import pulumi
import pulumi_event_datasets as event_datasets

ci = event_datasets.ApiToken(
    "ci",
    org_capabilities={"api_tokens": ["read"]},
    expires_in="90d",
    rotation={"rotate_before": "14d"},
)
found = event_datasets.get_token_output(name=ci.name, opts=pulumi.InvokeOutputOptions(depends_on=[ci]))

pulumi.export("token", ci.token)
pulumi.export("fingerprint", ci.fingerprint)
pulumi.export("rotates_at", ci.rotates_at)
pulumi.export("expires_at", found.expires_at)
