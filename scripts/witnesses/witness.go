// Calls every operation of axiom-go that the emulator has.
package main

import (
	"context"
	"log"
	"os"
	"strings"
	"time"

	"github.com/axiomhq/axiom-go/axiom"
	"github.com/axiomhq/axiom-go/axiom/ingest"
	"github.com/axiomhq/axiom-go/axiom/query"
	"github.com/axiomhq/axiom-go/axiom/querylegacy"
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
	check(must(client.IngestEvents(ctx, dataset, events, ingest.SetEventLabel("region", "eu"))).Ingested == 2, "IngestEvents")
	must(client.Ingest(ctx, dataset, strings.NewReader(`[{"status":404}]`), axiom.JSON, axiom.Identity))
	must(client.Ingest(ctx, dataset, strings.NewReader("2030-01-01;301\n"), axiom.CSV, axiom.Identity, ingest.SetCSVDelimiter(";"),
		ingest.SetCSVFields("at", "status"), ingest.SetTimestampField("at"), ingest.SetTimestampFormat("2006-01-02")))
	channel := make(chan axiom.Event, 1)
	channel <- axiom.Event{"status": 503}
	close(channel)
	must(client.IngestChannel(ctx, dataset, channel))
	check(must(client.Query(ctx, "['"+dataset+"'] | summarize count()")).Tables[0].Columns[0][0] == 5.0, "Query")
	must(client.Query(ctx, "['"+dataset+"'] | where status == wanted", query.SetStartTime(start), query.SetEndTime(end),
		query.SetVariable("wanted", 0)))
}

func callLegacy(client *axiom.Client) {
	all := must(client.QueryLegacy(ctx, "web", querylegacy.Query{}, querylegacy.Options{}))
	check(len(all.Matches) == 5, "QueryLegacy of zero values")
	must(client.QueryLegacy(ctx, "web", querylegacy.Query{
		StartTime:    start,
		EndTime:      end,
		Aggregations: []querylegacy.Aggregation{{Op: querylegacy.OpCount, Field: "*"}},
		GroupBy:      []string{"status"},
		Filter: querylegacy.Filter{Op: querylegacy.OpAnd, Children: []querylegacy.Filter{
			{Op: querylegacy.OpGreaterThanEqual, Field: "status", Value: 0},
		}},
		Limit: 10,
	}, querylegacy.Options{NoCache: true, StreamingDuration: time.Second}))
}

func callTokens(client *axiom.Client) {
	tokens := client.Tokens
	made := must(tokens.Create(ctx, axiom.CreateTokenRequest{
		Name:                     "org",
		OrganisationCapabilities: axiom.OrganisationCapabilities{APITokens: []axiom.Action{axiom.ActionRead}},
	}))
	must(tokens.Create(ctx, axiom.CreateTokenRequest{
		Name:                "dataset",
		ExpiresAt:           end,
		DatasetCapabilities: map[string]axiom.DatasetCapabilities{"web": {Query: []axiom.Action{axiom.ActionRead}}},
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
	check(must(annotations.Update(ctx, made.ID, &axiom.AnnotationUpdateRequest{Title: "changed"})).Type == "deploy", "Update")
	check(annotations.Delete(ctx, made.ID) == nil, "Delete")
}

func main() {
	client := must(axiom.NewClient(axiom.SetNoEnv(), axiom.SetURL(os.Getenv("AXIOM_URL")), axiom.SetToken(os.Getenv("AXIOM_TOKEN"))))
	callDatasets(client, "web")
	callLegacy(client)
	callTokens(client)
	callAnnotations(client)
	edge := must(axiom.NewClient(axiom.SetNoEnv(), axiom.SetURL(os.Getenv("AXIOM_URL")), axiom.SetToken(os.Getenv("AXIOM_TOKEN")),
		axiom.SetEdgeURL(os.Getenv("AXIOM_URL"))))
	callDatasets(edge, "edge")
}
