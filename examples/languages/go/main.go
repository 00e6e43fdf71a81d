package main

import (
	"pulumi-event-datasets-go/eventdatasets"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		ci, err := eventdatasets.NewApiToken(ctx, "ci", &eventdatasets.ApiTokenArgs{
			OrgCapabilities: eventdatasets.OrgCapabilitiesArgs{ApiTokens: pulumi.StringArray{pulumi.String("read")}},
			ExpiresIn:       pulumi.String("90d"),
			Rotation:        eventdatasets.ApiTokenRotationArgs{RotateBefore: pulumi.String("14d")},
		})
		if err != nil {
			return err
		}
		ctx.Export("token", ci.Token)
		ctx.Export("fingerprint", ci.Fingerprint)
		return nil
	})
}
