module event-datasets-go

go 1.24

require (
	github.com/pulumi/pulumi/sdk/v3 v3.259.0
	pulumi-event-datasets-go/eventdatasets v0.0.0
)

// Where the SDK was made: see docs/guides/languages.md.
replace pulumi-event-datasets-go/eventdatasets => ./sdk/go
