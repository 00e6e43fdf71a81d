// Calls every operation of axiom-go that the emulator has.
package main

import (
	"context"
	"errors"
	"log"
	"os"
	"strings"
	"time"

	"github.com/axiomhq/axiom-go/axiom"
	"github.com/axiomhq/axiom-go/axiom/ingest"
	"github.com/axiomhq/axiom-go/axiom/query"
)

var (
	ctx   = context.Background()
	start = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	end   = start.AddDate(0, 0, 1)
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func check(holds bool, what string) {
	if !holds {
		log.Fatal("axiom-go: ", what)
	}
}

func callDatasets(client *axiom.Client, dataset string) {
	events := []axiom.Event{{"_time": start.Format(time.RFC3339), "status": 500}, {"_time": start.Format(time.RFC3339), "status": 200}}
	check(must(client.IngestEvents(ctx, dataset, events, ingest.SetEventLabel("region", "eu"),
		ingest.SetEventLabels(map[string]any{"zone": "a"}))).Ingested == 2, "IngestEvents")
	must(client.Ingest(ctx, dataset, strings.NewReader(`[{"status":404}]`), axiom.JSON, axiom.Identity))
	must(client.Ingest(ctx, dataset, strings.NewReader("2030-01-01;301\n"), axiom.CSV, axiom.Identity, ingest.SetCSVDelimiter(";"),
		ingest.SetCSVFields("at", "status"), ingest.SetTimestampField("at"), ingest.SetTimestampFormat("2006-01-02")))
	channel := make(chan axiom.Event, 1)
	channel <- axiom.Event{"status": 503}
	close(channel)
	must(client.IngestChannel(ctx, dataset, channel))
	check(must(client.Query(ctx, "['"+dataset+"'] | summarize count()")).Tables[0].Columns[0][0] == 5.0, "Query")
	page := must(client.Query(ctx, "['"+dataset+"'] | where status != wanted | sort by _time desc | limit 1", query.SetStartTime(start),
		query.SetEndTime(end), query.SetVariable("wanted", 0)))
	must(client.Query(ctx, "['"+dataset+"'] | where status != wanted | sort by _time desc | limit 1", query.SetStartTime(start),
		query.SetEndTime(end), query.SetVariables(map[string]any{"wanted": 0}), query.SetCursor(page.Status.MinCursor, true)))
}

func callDatasetObjects(client *axiom.Client) {
	datasets := client.Datasets
	made := must(datasets.Create(ctx, axiom.DatasetCreateRequest{Name: "made-by-go", Description: "text"}))
	must(datasets.Create(ctx, axiom.DatasetCreateRequest{
		Name: "kept-by-go", Kind: "otel:logs:v1", Description: "text", UseRetentionPeriod: true, RetentionDays: 30,
	}))
	_, err := datasets.Create(ctx, axiom.DatasetCreateRequest{Name: made.Name})
	check(errors.Is(err, axiom.ErrExists), "a dataset that exists")
	check(must(datasets.Get(ctx, made.ID)).Name == "made-by-go", "Get")
	check(len(must(datasets.List(ctx))) >= 2, "List")
	changed := must(datasets.Update(ctx, made.ID, axiom.DatasetUpdateRequest{Description: "changed", UseRetentionPeriod: true, RetentionDays: 7}))
	check(changed.Description == "changed" && changed.RetentionDays == 7, "Update")
	check(datasets.Trim(ctx, made.ID, time.Hour) == nil, "Trim")
	check(must(datasets.CreateMapField(ctx, made.ID, "tags")) == "tags", "CreateMapField")
	check(len(must(datasets.UpdateMapFields(ctx, made.ID, axiom.MapFields{"tags", "more"}))) == 2, "UpdateMapFields")
	check(datasets.DeleteMapField(ctx, made.ID, "more") == nil, "DeleteMapField")
	check(len(must(datasets.ListMapFields(ctx, made.ID))) == 1, "ListMapFields")
	check(datasets.Delete(ctx, made.ID) == nil, "Delete")
	_, err = datasets.Get(ctx, made.ID)
	check(errors.Is(err, axiom.ErrNotFound), "a deleted dataset")
}

var (
	create        = []axiom.Action{axiom.ActionCreate}
	read          = []axiom.Action{axiom.ActionRead}
	update        = []axiom.Action{axiom.ActionUpdate}
	remove        = []axiom.Action{axiom.ActionDelete}
	allOfADataset = axiom.DatasetCapabilities{
		Ingest: create, Query: read, StarredQueries: read, VirtualFields: read, Trim: update, Vacuum: update, Data: remove, Share: read,
	}
	allOfAnOrganization = axiom.OrganisationCapabilities{
		Annotations: read, APITokens: read, AuditLog: read, Billing: read, Dashboards: read, Datasets: read, Endpoints: read, Flows: read,
		Integrations: read, Monitors: read, Notifiers: read, RBAC: read, SharedAccessKeys: read, Users: read, Views: read,
	}
)

func callTokens(client *axiom.Client) {
	tokens := client.Tokens
	made := must(tokens.Create(ctx, axiom.CreateTokenRequest{
		Name:                     "org",
		OrganisationCapabilities: allOfAnOrganization,
	}))
	must(tokens.Create(ctx, axiom.CreateTokenRequest{
		Name:                "dataset",
		ExpiresAt:           end,
		Description:         "text",
		DatasetCapabilities: map[string]axiom.DatasetCapabilities{"web": allOfADataset},
	}))
	_, err := tokens.Create(ctx, axiom.CreateTokenRequest{Name: "nothing"})
	check(err != nil && strings.Contains(err.Error(), "at least one capability"), "a token without a capability")
	check(must(tokens.Get(ctx, made.ID)).Name == "org", "Get")
	check(len(must(tokens.List(ctx))) == 2, "List")
	next := must(tokens.Regenerate(ctx, made.ID, axiom.RegenerateTokenRequest{ExistingTokenExpiresAt: start}))
	must(tokens.Regenerate(ctx, next.ID, axiom.RegenerateTokenRequest{
		ExistingTokenExpiresAt: start,
		NewTokenExpiresAt:      end,
		NewToken: &axiom.CreateTokenRequest{
			Name:                     "next",
			OrganisationCapabilities: axiom.OrganisationCapabilities{Views: []axiom.Action{axiom.ActionRead}},
		},
	}))
	check(tokens.Delete(ctx, made.ID) == nil, "Delete")
}

func callAnnotations(client *axiom.Client) {
	annotations := client.Annotations
	made := must(annotations.Create(ctx, &axiom.AnnotationCreateRequest{Datasets: []string{"web"}, Type: "deploy"}))
	must(annotations.Create(ctx, &axiom.AnnotationCreateRequest{
		Datasets: []string{"web"}, Type: "deploy", Time: start, EndTime: end, Title: "title", Description: "text", URL: "https://example.com",
	}))
	must(annotations.Get(ctx, made.ID))
	check(len(must(annotations.List(ctx, &axiom.AnnotationsFilter{Datasets: []string{"web"}, Start: start, End: end}))) == 1, "List")
	check(must(annotations.Update(ctx, made.ID, &axiom.AnnotationUpdateRequest{
		Datasets: []string{"web", "api"}, Time: start, EndTime: end, Title: "changed", Description: "text", URL: "https://example.com",
	})).Type == "deploy", "Update")
	check(annotations.Delete(ctx, made.ID) == nil, "Delete")
}

func main() {
	client := must(axiom.NewClient(axiom.SetNoEnv(), axiom.SetURL(os.Getenv("AXIOM_URL")), axiom.SetToken(os.Getenv("AXIOM_TOKEN"))))
	callDatasets(client, "web")
	callDatasetObjects(client)
	callTokens(client)
	callAnnotations(client)
	edge := must(axiom.NewClient(axiom.SetNoEnv(), axiom.SetURL(os.Getenv("AXIOM_URL")), axiom.SetToken(os.Getenv("AXIOM_TOKEN")),
		axiom.SetEdgeURL(os.Getenv("AXIOM_URL"))))
	callDatasets(edge, "edge")
}
