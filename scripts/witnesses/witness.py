"""Calls every operation of axiom-py that the emulator has."""

import os
from dataclasses import fields
from datetime import datetime, timedelta, timezone

from axiom_py import AnnotationCreateRequest, AplOptions, Client, ContentEncoding, ContentType, IngestOptions
from axiom_py.annotations import AnnotationUpdateRequest
from axiom_py.tokens import (
    CreateTokenRequest,
    RegenerateTokenRequest,
    TokenDatasetCapabilities,
    TokenOrganizationCapabilities,
)

START = datetime(2030, 1, 1, tzinfo=timezone.utc)
END = datetime(2030, 1, 2, tzinfo=timezone.utc)


def check(condition, what):
    if not condition:
        raise SystemExit(f"axiom-py: {what}")


def call_datasets(client):
    events = [{"_time": "2030-01-01T00:00:00Z", "status": 500}, {"_time": "2030-01-01T00:00:01Z", "status": 200}]
    check(client.ingest_events("web", events).ingested == 2, "ingest_events")
    plain = b'[{"_time":"2030-01-01T00:00:02Z","status":404}]'
    check(client.ingest("web", plain, ContentType.JSON, ContentEncoding.IDENTITY).ingested == 1, "ingest")
    options = IngestOptions(timestamp_field="at", timestamp_format="2006-01-02", CSV_delimiter=";")
    csv = b"at;status\n2030-01-01;301\n"
    check(client.ingest("web", csv, ContentType.CSV, ContentEncoding.IDENTITY, options).ingested == 1, "ingest CSV")
    counted = client.query("['web'] | summarize count()", AplOptions(start_time=START, end_time=END))
    check(counted.tables[0].columns[0][0] == 4, "query")
    check(client.query("['web'] | limit 1").status.rowsMatched is not None, "query without options")
    newest = "['web'] | sort by _time desc | limit 1"
    page = client.query(newest, AplOptions(start_time=START, end_time=END))
    client.query(newest, AplOptions(start_time=START, end_time=END, cursor=page.status.minCursor, includeCursor=True))


def call_dataset_objects(client):
    datasets = client.datasets
    made = datasets.create("made-by-python", "text")
    check(datasets.get(made.id).name == "made-by-python", "get of a dataset")
    check(any(one.id == made.id for one in datasets.get_list()), "list of datasets")
    check(datasets.update(made.id, "changed").description == "changed", "update of a dataset")
    datasets.trim(made.id, timedelta(hours=1))
    datasets.delete(made.id)


def every_dataset_capability():
    own = {"ingest": "create", "trim": "update", "vacuum": "update", "data": "delete"}
    names = [member.name for member in fields(TokenDatasetCapabilities)]
    return TokenDatasetCapabilities(**{name: [own.get(name, "read")] for name in names})


def call_tokens(client):
    tokens = client.tokens
    for request in (
        CreateTokenRequest(name="bare"),
        CreateTokenRequest(name="org", orgCapabilities=TokenOrganizationCapabilities(apiTokens=["read"])),
        CreateTokenRequest(name="dataset", datasetCapabilities={"web": TokenDatasetCapabilities(query=["read"])}),
        CreateTokenRequest(
            name="full",
            description="everything",
            expiresAt="2031-01-01T00:00:00Z",
            orgCapabilities=TokenOrganizationCapabilities(apiTokens=["create"]),
            datasetCapabilities={"web": every_dataset_capability()},
        ),
    ):
        made = tokens.create(request)
        check(made.token, f"token {request.name}")
        check(tokens.get(made.id).name == request.name, "get")
    check(len(tokens.list()) == 4, "list")
    tokens.regenerate(made.id, RegenerateTokenRequest(START, END))
    tokens.delete(made.id)


def call_annotations(client):
    annotations = client.annotations
    made = annotations.create(
        AnnotationCreateRequest(
            datasets=["web"], time=None, endTime=None, title=None, description=None, url=None, type="deploy"
        )
    )
    annotations.create(
        AnnotationCreateRequest(
            datasets=["web"],
            time="2030-01-01T00:00:00Z",
            endTime="2030-01-02T00:00:00Z",
            title="title",
            description="text",
            url="https://example.com",
            type="deploy",
        )
    )
    annotations.get(made.id)
    check(len(annotations.list(datasets=["web"], start=START, end=END)) == 1, "list of a period")
    changed = annotations.update(
        made.id,
        AnnotationUpdateRequest(
            datasets=["web", "api"],
            time="2030-01-01T00:00:00Z",
            endTime="2030-01-02T00:00:00Z",
            title="changed",
            description="text",
            url="https://example.com",
            type="deployed",
        ),
    )
    check(changed.title == "changed" and changed.type == "deployed", "update")
    annotations.delete(made.id)


client = Client(os.environ["AXIOM_TOKEN"], url=os.environ["AXIOM_URL"])
call_datasets(client)
call_dataset_objects(client)
call_tokens(client)
call_annotations(client)
edge = Client(os.environ["AXIOM_TOKEN"], url=os.environ["AXIOM_URL"], edge_url=os.environ["AXIOM_URL"])
check(edge.ingest_events("edge", [{"status": 500}]).ingested == 1, "ingest at an edge deployment")
edge.query("['edge'] | count")
