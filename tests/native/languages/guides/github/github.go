// Package github stands in for the provider that only a reader's project has: the part that the pages use.
package github

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

type ActionsSecretArgs struct {
	Repository pulumi.StringInput
	SecretName pulumi.StringInput
	Value      pulumi.StringPtrInput
}

type ActionsSecret struct{ pulumi.CustomResourceState }

func NewActionsSecret(
	ctx *pulumi.Context, name string, args *ActionsSecretArgs, opts ...pulumi.ResourceOption,
) (*ActionsSecret, error) {
	return &ActionsSecret{}, nil
}
