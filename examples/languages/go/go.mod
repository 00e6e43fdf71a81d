module event-datasets-go

go 1.26.6

require (
	github.com/pulumi/pulumi/sdk/v3 v3.276.0
	pulumi-event-datasets-go v0.0.0
)

// The SDK that `pulumi package add` writes.
replace pulumi-event-datasets-go => ./sdks/event-datasets
