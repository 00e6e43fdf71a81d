"""Every resource and every function, with plain and with secret arguments."""

import pulumi
import pulumi_event_datasets as event_datasets

config = pulumi.Config()

# begin Provider
other = event_datasets.Provider(
    "other",
    base_url=pulumi.Config().require("otherUrl"),
    access_token=pulumi.Config().require_secret("otherToken"),
    profile=event_datasets.ProviderProfile.EXTENDED,
)
elsewhere = event_datasets.ApiToken(
    "elsewhere",
    org_capabilities={"annotations": ["create"]},
    expires_in="90d",
    opts=pulumi.ResourceOptions(provider=other),
)
# end Provider

# begin ApiToken
ci = event_datasets.ApiToken(
    "ci",
    org_capabilities={"api_tokens": ["read"]},
    expires_in="90d",
    rotation={"rotate_before": "14d"},
)
# end ApiToken
full = event_datasets.ApiToken(
    "full",
    name="full",
    description=pulumi.Output.secret("a secret description"),
    expires_at="2099-01-01T00:00:00Z",
    retire=event_datasets.ApiTokenRetire.REVOKE,
    dataset_capabilities={"web": {"ingest": ["create"]}},
    org_capabilities={
        "annotations": ["create"],
        "api_tokens": ["read"],
        "audit_log": ["read"],
        "billing": ["read"],
        "dashboards": ["read"],
        "datasets": ["read"],
        "endpoints": ["read"],
        "flows": ["read"],
        "integrations": ["read"],
        "monitors": ["read"],
        "notifiers": ["read"],
        "rbac": ["read"],
        "shared_access_keys": ["read"],
        "users": ["read"],
        "views": ["read"],
    },
    view_capabilities={"errors": {"query": ["read"]}},
    rotation={"triggers": {"round": 1}, "overlap": "1h"},
)
sealed = event_datasets.ApiToken(
    "sealed", org_capabilities={"users": ["read"]}, seal_for=config.require("recipient")
)
adopted = event_datasets.ApiToken(
    "adopted",
    name="by hand",
    adopt={"id": config.require("theirId"), "token": config.require_secret("theirToken")},
)

# begin Dataset
shop = event_datasets.Dataset("shop", description="Requests of the shop", retention_days=30)
# end Dataset

# begin Annotation
launch = event_datasets.Annotation("launch", datasets=["web"], title="Launch", type="launch")
# end Annotation
range_ = event_datasets.Annotation(
    "range",
    datasets=["web"],
    type="maintenance",
    description="a range",
    time="2026-01-01T00:00:00Z",
    end_time="2026-01-01T01:00:00Z",
    url="https://example.com/maintenance",
    triggers={"round": 1},
    retain=False,
)

# begin DeploymentAnnotation
deployed = event_datasets.DeploymentAnnotation(
    "deployed",
    datasets=["web"],
    commit="0a1b2c3d4e5f",
    opts=pulumi.ResourceOptions(depends_on=[ci]),
)
# end DeploymentAnnotation
released = event_datasets.DeploymentAnnotation(  # type: ignore[call-overload]
    "released",
    datasets=["web"],
    title="Release 1",
    description="the first release",
    type="release",
    url="https://example.com/releases/1",
    commit="0a1b2c3d4e5f",
    # A string works in place of a member of the enum; only a type checker objects.
    per="commit",
    required=True,
)

# begin QueryGate
errors = event_datasets.QueryGate(
    "errors",
    apl="['web'] | where status >= 500 | summarize count()",
    start_time="now-1h",
    end_time="now",
    expect={"max": 5},
    triggers={"image": "sha256:0a1b2c3d"},
)
# end QueryGate
column = event_datasets.QueryGate(
    "column",
    apl="['web'] | summarize total = count() by status",
    start_time="now-1h",
    end_time="now",
    expect={"column": "total", "min": 1, "equals": 1},
    every="1s",
    for_="1m",
    settle="1s",
    no_data=event_datasets.QueryGateNoData.PASS_,
    warnings=event_datasets.QueryGateWarnings.FAIL,
    triggers={"image": "sha256:0a1b2c3d"},
)

# begin functions: `npm run generate` writes them from Pulumi.yaml
# begin getDataset
described = event_datasets.get_dataset_output(name=shop.name)
# end getDataset

# begin getDatasets
named = event_datasets.get_datasets_output(name_prefix=shop.name)
# end getDatasets

# begin getToken
found = event_datasets.get_token_output(name=ci.name)
# end getToken

# begin getTokens
expiring = event_datasets.get_tokens_output(name_prefix=ci.name, expiring_within="120d")
# end getTokens

# begin queryApl
counted = event_datasets.query_apl_output(
    apl="['web'] | summarize count()",
    start_time="now-1h",
    end_time="now",
)
# end queryApl
# end functions
found_by_id = event_datasets.get_token_output(id=full.id)
filtered = event_datasets.get_tokens_output(
    name=ci.name, expired=False, without_expiry=False, capability="apiTokens:read"
)
table = event_datasets.query_apl_output(
    apl=pulumi.Output.secret("['web'] | where status >= least | project status"),
    start_time="now-1h",
    end_time="now",
    format=event_datasets.QueryAplFormat.TABULAR,
    nocache=True,
    variables={"least": 500},
)

# begin queryDataset
grouped = event_datasets.query_dataset(
    dataset="web",
    start_time="now-1h",
    end_time="now",
    resolution="auto",
    aggregations=[{"op": "count", "field": "*", "alias": "total"}],
    group_by=["service"],
)
# end queryDataset
listed = event_datasets.query_dataset_output(
    dataset="web",
    start_time="now-1h",
    end_time="now",
    resolution="auto",
    filter={"op": ">=", "field": "status", "value": 500},
    order=[{"field": "status", "desc": True}],
    project=[{"field": "status", "alias": "code"}],
    limit=10,
    include_cursor=True,
    nocache=True,
)

pulumi.export("Provider.elsewhere", elsewhere.name)
pulumi.export("ApiToken.token", ci.token)
pulumi.export("ApiToken.fingerprint", ci.fingerprint)
pulumi.export("ApiToken.rotatesAt", ci.rotates_at)
pulumi.export("ApiToken.rotation.rotateBefore", ci.rotation.rotate_before)
pulumi.export("ApiToken.description", full.description)
pulumi.export("ApiToken.expiresAt", full.expires_at)
pulumi.export("ApiToken.orgCapabilities", full.org_capabilities.shared_access_keys)
pulumi.export("ApiToken.sealedToken", sealed.sealed_token)
pulumi.export("ApiToken.adopt.id", adopted.adopt.id)
pulumi.export("ApiToken.adopt.token", adopted.token)
pulumi.export("Dataset.name", shop.name)
pulumi.export("Dataset.kind", shop.kind)
pulumi.export("Dataset.createdAt", shop.created_at)
pulumi.export("Annotation.title", launch.title)
pulumi.export("Annotation.triggers", range_.triggers)
pulumi.export("DeploymentAnnotation.annotationId", deployed.annotation_id)
pulumi.export("DeploymentAnnotation.recorded", deployed.recorded)
pulumi.export("DeploymentAnnotation.time", deployed.time)
pulumi.export("DeploymentAnnotation.endTime", deployed.end_time)
pulumi.export("DeploymentAnnotation.title", deployed.title)
pulumi.export("DeploymentAnnotation.required", released.required)
pulumi.export("QueryGate.expect.min", column.expect.min)
pulumi.export("QueryGate.value", errors.value)
pulumi.export("QueryGate.attempts", errors.attempts)
pulumi.export("QueryGate.passedAt", errors.passed_at)
pulumi.export("getDataset.description", described.description)
pulumi.export("getDatasets.datasets", named.datasets[0].retention_days)
pulumi.export("getToken.id", found_by_id.id)
pulumi.export("getToken.name", found.name)
pulumi.export("getToken.description", found_by_id.description)
pulumi.export("getToken.datasetCapabilities", found_by_id.dataset_capabilities)
pulumi.export("getToken.orgCapabilities", found.org_capabilities.api_tokens)
pulumi.export("getTokens.tokens", filtered.tokens[0].name)
pulumi.export("getTokens.expiring", expiring.tokens[0].name)
pulumi.export("queryApl.buckets", counted.buckets.totals[0].aggregations[0].value)
pulumi.export("queryApl.status", counted.status.rows_matched)
pulumi.export("queryApl.tables", table.tables[0].columns[0][0])
pulumi.export("queryDataset.buckets", grouped.buckets.totals[0].aggregations[0].value)
pulumi.export("queryDataset.status", grouped.status.rows_matched)
pulumi.export("queryDataset.matches", listed.matches[0])
