// Command sdks writes the SDKs of the plugin for every language from its schema: sdks SCHEMA FOLDER.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/blang/semver"
	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "pulumi-event-datasets"

// noOthers is a loader of a schema that refers to no other.
type noOthers struct{}

var errOther = errors.New("the schema refers to no other package")

func (noOthers) LoadPackage(string, *semver.Version) (*schema.Package, error) { return nil, errOther }
func (noOthers) LoadPackageV2(context.Context, *schema.PackageDescriptor) (*schema.Package, error) {
	return nil, errOther
}
func (noOthers) LoadPackageReference(string, *semver.Version) (schema.PackageReference, error) {
	return nil, errOther
}
func (noOthers) LoadPackageReferenceV2(context.Context, *schema.PackageDescriptor) (schema.PackageReference, error) {
	return nil, errOther
}

func bind(file string) (*schema.Package, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	// A setting of the release: where the engine gets the plugin from.
	spec.PluginDownloadURL = os.Getenv("EVENT_DATASETS_PLUGIN_DOWNLOAD_URL")
	pkg, diagnostics, err := schema.BindSpec(spec, noOthers{}, schema.ValidationOptions{})
	if err == nil && diagnostics.HasErrors() {
		err = diagnostics
	}
	return pkg, err
}

func write(folder string, files map[string][]byte) error {
	for name, content := range files {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func run(file, folder string) error {
	generators := map[string]func(*schema.Package) (map[string][]byte, error){
		"nodejs": func(pkg *schema.Package) (map[string][]byte, error) {
			if err := pkg.ImportLanguages(map[string]schema.Language{"nodejs": nodejs.Importer}); err != nil {
				return nil, err
			}
			return nodejs.GeneratePackage(tool, pkg, nil, nil, false, noOthers{})
		},
		"python": func(pkg *schema.Package) (map[string][]byte, error) {
			return python.GeneratePackage(tool, pkg, nil, noOthers{})
		},
		"go": func(pkg *schema.Package) (map[string][]byte, error) {
			return gogen.GeneratePackage(tool, pkg, nil)
		},
	}
	for language, generate := range generators {
		// Each generator changes the package that it is given.
		pkg, err := bind(file)
		if err != nil {
			return err
		}
		files, err := generate(pkg)
		if err != nil {
			return fmt.Errorf("%s: %w", language, err)
		}
		if err := write(filepath.Join(folder, language), files); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: sdks SCHEMA FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
