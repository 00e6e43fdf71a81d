package main

import (
	"pulumi-event-datasets-go/eventdatasets"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		// begin Provider
		other, err := eventdatasets.NewProvider(ctx, "other", &eventdatasets.ProviderArgs{
			BaseUrl:     pulumi.String(config.Require(ctx, "otherUrl")),
			AccessToken: config.RequireSecret(ctx, "otherToken"),
			Profile:     eventdatasets.ProviderProfileExtended,
		})
		if err != nil {
			return err
		}
		elsewhere, err := eventdatasets.NewApiToken(ctx, "elsewhere", &eventdatasets.ApiTokenArgs{
			OrgCapabilities: eventdatasets.OrgCapabilitiesArgs{
				Annotations: pulumi.ToStringArray([]string{"create"}),
			},
			ExpiresIn: pulumi.String("90d"),
		}, pulumi.Provider(other))
		if err != nil {
			return err
		}
		ctx.Export("Provider.elsewhere", elsewhere.Name)
		// end Provider

		// begin ApiToken
		ci, err := eventdatasets.NewApiToken(ctx, "ci", &eventdatasets.ApiTokenArgs{
			OrgCapabilities: eventdatasets.OrgCapabilitiesArgs{
				ApiTokens: pulumi.ToStringArray([]string{"read"}),
			},
			ExpiresIn: pulumi.String("90d"),
			Rotation: eventdatasets.ApiTokenRotationArgs{
				RotateBefore: pulumi.String("14d"),
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("ApiToken.token", ci.Token)
		// end ApiToken
		read := pulumi.ToStringArray([]string{"read"})
		full, err := eventdatasets.NewApiToken(ctx, "full", &eventdatasets.ApiTokenArgs{
			Name:                pulumi.String("full"),
			Description:         pulumi.ToSecret(pulumi.String("a secret description")).(pulumi.StringOutput),
			ExpiresAt:           pulumi.String("2099-01-01T00:00:00Z"),
			Retire:              eventdatasets.ApiTokenRetireRevoke,
			DatasetCapabilities: pulumi.Map{"web": pulumi.Map{"ingest": pulumi.ToStringArray([]string{"create"})}},
			OrgCapabilities: eventdatasets.OrgCapabilitiesArgs{
				Annotations:      pulumi.ToStringArray([]string{"create"}),
				ApiTokens:        read,
				AuditLog:         read,
				Billing:          read,
				Dashboards:       read,
				Datasets:         read,
				Endpoints:        read,
				Flows:            read,
				Integrations:     read,
				Monitors:         read,
				Notifiers:        read,
				Rbac:             read,
				SharedAccessKeys: read,
				Users:            read,
				Views:            read,
			},
			ViewCapabilities: pulumi.Map{"errors": pulumi.Map{"query": read}},
			Rotation: eventdatasets.ApiTokenRotationArgs{
				Triggers: pulumi.Map{"round": pulumi.Int(1)},
				Overlap:  pulumi.String("1h"),
			},
		})
		if err != nil {
			return err
		}
		sealed, err := eventdatasets.NewApiToken(ctx, "sealed", &eventdatasets.ApiTokenArgs{
			OrgCapabilities: eventdatasets.OrgCapabilitiesArgs{Users: read},
			SealFor:         pulumi.String(config.Require(ctx, "recipient")),
		})
		if err != nil {
			return err
		}
		adopted, err := eventdatasets.NewApiToken(ctx, "adopted", &eventdatasets.ApiTokenArgs{
			Name: pulumi.String("by hand"),
			Adopt: eventdatasets.ApiTokenAdoptArgs{
				Id:    pulumi.String(config.Require(ctx, "theirId")),
				Token: config.RequireSecret(ctx, "theirToken"),
			},
		})
		if err != nil {
			return err
		}

		// begin Dataset
		shop, err := eventdatasets.NewDataset(ctx, "shop", &eventdatasets.DatasetArgs{
			Description:   pulumi.String("Requests of the shop"),
			RetentionDays: pulumi.Float64(30),
		})
		if err != nil {
			return err
		}
		ctx.Export("Dataset.name", shop.Name)
		// end Dataset

		// begin Annotation
		launch, err := eventdatasets.NewAnnotation(ctx, "launch", &eventdatasets.AnnotationArgs{
			Datasets: pulumi.ToStringArray([]string{"web"}),
			Title:    pulumi.String("Launch"),
			Type:     pulumi.String("launch"),
		})
		if err != nil {
			return err
		}
		ctx.Export("Annotation.title", launch.Title)
		// end Annotation
		between, err := eventdatasets.NewAnnotation(ctx, "range", &eventdatasets.AnnotationArgs{
			Datasets:    pulumi.ToStringArray([]string{"web"}),
			Type:        pulumi.String("maintenance"),
			Description: pulumi.String("a range"),
			Time:        pulumi.String("2026-01-01T00:00:00Z"),
			EndTime:     pulumi.String("2026-01-01T01:00:00Z"),
			Url:         pulumi.String("https://example.com/maintenance"),
			Triggers:    pulumi.Map{"round": pulumi.Int(1)},
			Retain:      pulumi.Bool(false),
		})
		if err != nil {
			return err
		}

		// begin DeploymentAnnotation
		deployed, err := eventdatasets.NewDeploymentAnnotation(ctx, "deployed", &eventdatasets.DeploymentAnnotationArgs{
			Datasets: pulumi.ToStringArray([]string{"web"}),
			Commit:   pulumi.String("0a1b2c3d4e5f"),
		}, pulumi.DependsOn([]pulumi.Resource{ci}))
		if err != nil {
			return err
		}
		ctx.Export("DeploymentAnnotation.annotationId", deployed.AnnotationId)
		// end DeploymentAnnotation
		released, err := eventdatasets.NewDeploymentAnnotation(ctx, "released", &eventdatasets.DeploymentAnnotationArgs{
			Datasets:    pulumi.ToStringArray([]string{"web"}),
			Title:       pulumi.String("Release 1"),
			Description: pulumi.String("the first release"),
			Type:        pulumi.String("release"),
			Url:         pulumi.String("https://example.com/releases/1"),
			Commit:      pulumi.String("0a1b2c3d4e5f"),
			Per:         eventdatasets.DeploymentAnnotationPerCommit,
			Required:    pulumi.Bool(true),
		})
		if err != nil {
			return err
		}

		// begin QueryGate
		errors, err := eventdatasets.NewQueryGate(ctx, "errors", &eventdatasets.QueryGateArgs{
			Apl:       pulumi.String("['web'] | where status >= 500 | summarize count()"),
			StartTime: pulumi.String("now-1h"),
			EndTime:   pulumi.String("now"),
			Expect:    eventdatasets.QueryGateExpectArgs{Max: pulumi.Float64(5)},
			Triggers:  pulumi.Map{"image": pulumi.String("sha256:0a1b2c3d")},
		})
		if err != nil {
			return err
		}
		ctx.Export("QueryGate.value", errors.Value)
		// end QueryGate
		column, err := eventdatasets.NewQueryGate(ctx, "column", &eventdatasets.QueryGateArgs{
			Apl:       pulumi.String("['web'] | summarize total = count() by status"),
			StartTime: pulumi.String("now-1h"),
			EndTime:   pulumi.String("now"),
			Expect: eventdatasets.QueryGateExpectArgs{
				Column: pulumi.String("total"),
				Min:    pulumi.Float64(1),
				Equals: pulumi.Float64(1),
			},
			Every:    pulumi.String("1s"),
			For:      pulumi.String("1m"),
			Settle:   pulumi.String("1s"),
			NoData:   eventdatasets.QueryGateNoDataPass,
			Warnings: eventdatasets.QueryGateWarningsFail,
			Triggers: pulumi.Map{"image": pulumi.String("sha256:0a1b2c3d")},
		})
		if err != nil {
			return err
		}

		// begin functions: `npm run generate` writes them from Pulumi.yaml
		// begin getDataset
		described := eventdatasets.LookupDatasetOutput(ctx, eventdatasets.LookupDatasetOutputArgs{
			Name: shop.Name,
		})
		ctx.Export("getDataset.description", described.Description())
		// end getDataset

		// begin getDatasets
		named := eventdatasets.GetDatasetsOutput(ctx, eventdatasets.GetDatasetsOutputArgs{
			NamePrefix: shop.Name,
		})
		ctx.Export("getDatasets.datasets", named.Datasets().Index(pulumi.Int(0)).RetentionDays())
		// end getDatasets

		// begin getToken
		found := eventdatasets.GetTokenOutput(ctx, eventdatasets.GetTokenOutputArgs{Name: ci.Name})
		ctx.Export("getToken.name", found.Name())
		// end getToken

		// begin getTokens
		expiring := eventdatasets.GetTokensOutput(ctx, eventdatasets.GetTokensOutputArgs{
			NamePrefix:     ci.Name,
			ExpiringWithin: pulumi.String("120d"),
		})
		ctx.Export("getTokens.expiring", expiring.Tokens().Index(pulumi.Int(0)).Name())
		// end getTokens

		// begin queryApl
		counted := eventdatasets.QueryAplOutput(ctx, eventdatasets.QueryAplOutputArgs{
			Apl:       pulumi.String("['web'] | summarize count()"),
			StartTime: pulumi.String("now-1h"),
			EndTime:   pulumi.String("now"),
		})
		ctx.Export("queryApl.status", counted.Status().RowsMatched())
		// end queryApl
		// end functions
		foundById := eventdatasets.GetTokenOutput(ctx, eventdatasets.GetTokenOutputArgs{Id: full.ID().ToStringOutput()})
		filtered := eventdatasets.GetTokensOutput(ctx, eventdatasets.GetTokensOutputArgs{
			Name:          ci.Name,
			Expired:       pulumi.Bool(false),
			WithoutExpiry: pulumi.Bool(false),
			Capability:    pulumi.String("apiTokens:read"),
		})
		table := eventdatasets.QueryAplOutput(ctx, eventdatasets.QueryAplOutputArgs{
			Apl:       pulumi.ToSecret(pulumi.String("['web'] | where status >= least | project status")).(pulumi.StringOutput),
			StartTime: pulumi.String("now-1h"),
			EndTime:   pulumi.String("now"),
			Format:    eventdatasets.QueryAplFormatTabular,
			Nocache:   pulumi.Bool(true),
			Variables: pulumi.Map{"least": pulumi.Int(500)},
		})

		// begin queryDataset
		grouped := eventdatasets.QueryDatasetOutput(ctx, eventdatasets.QueryDatasetOutputArgs{
			Dataset:    pulumi.String("web"),
			StartTime:  pulumi.String("now-1h"),
			EndTime:    pulumi.String("now"),
			Resolution: pulumi.String("auto"),
			Aggregations: eventdatasets.AggregationRequestArray{
				eventdatasets.AggregationRequestArgs{
					Op: pulumi.String("count"), Field: pulumi.String("*"), Alias: pulumi.String("total"),
				},
			},
			GroupBy: pulumi.ToStringArray([]string{"service"}),
		})
		ctx.Export("queryDataset.status", grouped.Status().RowsMatched())
		// end queryDataset
		listed := eventdatasets.QueryDatasetOutput(ctx, eventdatasets.QueryDatasetOutputArgs{
			Dataset:    pulumi.String("web"),
			StartTime:  pulumi.String("now-1h"),
			EndTime:    pulumi.String("now"),
			Resolution: pulumi.String("auto"),
			Filter: eventdatasets.FilterArgs{
				Op: pulumi.String(">="), Field: pulumi.String("status"), Value: pulumi.Int(500),
			},
			Order: eventdatasets.OrderArray{
				eventdatasets.OrderArgs{Field: pulumi.String("status"), Desc: pulumi.Bool(true)},
			},
			Project: eventdatasets.ProjectionArray{
				eventdatasets.ProjectionArgs{Field: pulumi.String("status"), Alias: pulumi.String("code")},
			},
			Limit:         pulumi.Int(10),
			IncludeCursor: pulumi.Bool(true),
			Nocache:       pulumi.Bool(true),
		})

		first := pulumi.Int(0)
		ctx.Export("ApiToken.fingerprint", ci.Fingerprint)
		ctx.Export("ApiToken.rotatesAt", ci.RotatesAt)
		ctx.Export("ApiToken.rotation.rotateBefore", ci.Rotation.RotateBefore())
		ctx.Export("ApiToken.description", full.Description)
		ctx.Export("ApiToken.expiresAt", full.ExpiresAt)
		ctx.Export("ApiToken.orgCapabilities", full.OrgCapabilities.SharedAccessKeys())
		ctx.Export("ApiToken.sealedToken", sealed.SealedToken)
		ctx.Export("ApiToken.adopt.id", adopted.Adopt.Id())
		ctx.Export("ApiToken.adopt.token", adopted.Token)
		ctx.Export("Dataset.kind", shop.Kind)
		ctx.Export("Dataset.createdAt", shop.CreatedAt)
		ctx.Export("Annotation.triggers", between.Triggers)
		ctx.Export("DeploymentAnnotation.recorded", deployed.Recorded)
		ctx.Export("DeploymentAnnotation.time", deployed.Time)
		ctx.Export("DeploymentAnnotation.endTime", deployed.EndTime)
		ctx.Export("DeploymentAnnotation.title", deployed.Title)
		ctx.Export("DeploymentAnnotation.required", released.Required)
		ctx.Export("QueryGate.expect.min", column.Expect.Min())
		ctx.Export("QueryGate.attempts", errors.Attempts)
		ctx.Export("QueryGate.passedAt", errors.PassedAt)
		ctx.Export("getToken.id", foundById.Id())
		ctx.Export("getToken.description", foundById.Description())
		ctx.Export("getToken.datasetCapabilities", foundById.DatasetCapabilities())
		ctx.Export("getToken.orgCapabilities", found.OrgCapabilities().ApiTokens())
		ctx.Export("getTokens.tokens", filtered.Tokens().Index(first).Name())
		ctx.Export("queryApl.buckets", counted.Buckets().Totals().Index(first).Aggregations().Index(first).Value())
		ctx.Export("queryApl.tables", table.Tables().Index(first).Columns().Index(first).Index(first))
		ctx.Export("queryDataset.buckets", grouped.Buckets().Totals().Index(first).Aggregations().Index(first).Value())
		ctx.Export("queryDataset.matches", listed.Matches().Index(first))
		return nil
	})
}
