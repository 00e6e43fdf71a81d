// Command sdks writes the SDKs of the plugin for every language from its schema: sdks [flags] SCHEMA FOLDER.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
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

// The settings of a release.
var (
	pluginServer = flag.String("plugin-server", "", "the address that an engine downloads the plugin from")
	goPackage    = flag.String("go-package", "", "the import path of the Go package, if it is not the schema's")
)

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

func setGoPackage(spec *schema.PackageSpec) error {
	if *goPackage == "" {
		return nil
	}
	settings := map[string]any{}
	if err := json.Unmarshal(spec.Language["go"], &settings); err != nil {
		return err
	}
	settings["importBasePath"] = *goPackage
	text, err := json.Marshal(settings)
	spec.Language["go"] = text
	return err
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
	spec.PluginDownloadURL = *pluginServer
	if err := setGoPackage(&spec); err != nil {
		return nil, err
	}
	pkg, diagnostics, err := schema.BindSpec(spec, noOthers{}, schema.ValidationOptions{})
	if err == nil && diagnostics.HasErrors() {
		err = diagnostics
	}
	if err != nil {
		return nil, err
	}
	pkg.SupportPack = true // as `pulumi package add` does: the Go SDK is a module with one package
	return pkg, nil
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
	flag.Parse()
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "usage: sdks [flags] SCHEMA FOLDER")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), flag.Arg(1)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
