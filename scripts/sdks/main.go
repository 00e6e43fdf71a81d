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
	"regexp"
	"strings"

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

var (
	codeSpan = regexp.MustCompile("`[a-z][A-Za-z.]*`")
	capital  = regexp.MustCompile("[A-Z]")
)

// spellForPython writes names of arguments and outputs in the descriptions as Python has them: `rotation.rotate_before`.
// The generator leaves descriptions as they are.
func spellForPython(text []byte) ([]byte, error) {
	var spec any
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	names := map[string]bool{}
	walk(spec, func(key string, value any) any {
		members, isObject := value.(map[string]any)
		if isObject && (key == "properties" || key == "inputProperties") {
			for name := range members {
				names[name] = true
			}
		}
		return value
	})
	isName := func(span string) bool {
		for _, part := range strings.Split(strings.Trim(span, "`"), ".") {
			if !names[part] {
				return false
			}
		}
		return true
	}
	walk(spec, func(key string, value any) any {
		words, isText := value.(string)
		if !isText || key != "description" {
			return value
		}
		return codeSpan.ReplaceAllStringFunc(words, func(span string) string {
			if !isName(span) {
				return span
			}
			return capital.ReplaceAllStringFunc(span, func(letter string) string { return "_" + strings.ToLower(letter) })
		})
	})
	return json.Marshal(spec)
}

// walk replaces each member of the objects in a value.
func walk(value any, change func(key string, value any) any) {
	switch node := value.(type) {
	case map[string]any:
		for key, member := range node {
			node[key] = change(key, member)
			walk(node[key], change)
		}
	case []any:
		for _, member := range node {
			walk(member, change)
		}
	}
}

func bind(file, language string) (*schema.Package, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	spec.PluginDownloadURL = *pluginServer
	if language == "python" {
		if text, err = spellForPython(text); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, &spec); err != nil {
			return nil, err
		}
		spec.PluginDownloadURL = *pluginServer
	}
	if language == "go" {
		spec.Description = "Package eventdatasets has " + spec.Description
	}
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
		pkg, err := bind(file, language)
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
