// Builds what Kustomizations apply, as Flux's kustomize-controller does. Reads the objects of Flux, sources and Kustomizations,
// as a JSON list from standard input, and takes the folder that is its argument for the tree of every source. Writes a JSON
// list of {"name", "objects"} to standard output, in the order in which the Kustomizations become ready, or why Flux would not
// get that far.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	securejoin "github.com/cyphar/filepath-securejoin"
	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
	"github.com/fluxcd/pkg/kustomize"
	"github.com/fluxcd/pkg/runtime/dependency"
	sourcev1 "github.com/fluxcd/source-controller/api/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/yaml"
)

type result struct {
	Name    string                      `json:"name"`
	Objects []unstructured.Unstructured `json:"objects"`
}

func main() {
	results, err := buildAll(os.Args[1], os.Stdin)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(results)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func buildAll(tree string, input io.Reader) ([]result, error) {
	kustomizations, err := read(input)
	if err != nil {
		return nil, err
	}
	byName := map[types.NamespacedName]*kustomizev1.Kustomization{}
	dependents := make([]dependency.Dependent, 0, len(kustomizations))
	for _, each := range kustomizations {
		byName[types.NamespacedName{Namespace: each.Namespace, Name: each.Name}] = each
		dependents = append(dependents, each)
	}
	order, err := dependency.Sort(dependents)
	if err != nil {
		return nil, err
	}
	results := make([]result, 0, len(order))
	for _, reference := range order {
		each := byName[types.NamespacedName{Namespace: reference.Namespace, Name: reference.Name}]
		for _, on := range each.Spec.DependsOn {
			if on.Namespace == "" {
				on.Namespace = each.Namespace
			}
			if byName[types.NamespacedName{Namespace: on.Namespace, Name: on.Name}] == nil {
				return nil, fmt.Errorf("Kustomization %s: dependency %s/%s not found", each.Name, on.Namespace, on.Name)
			}
		}
		objects, err := build(tree, each)
		if err != nil {
			return nil, fmt.Errorf("Kustomization %s: %w", each.Name, err)
		}
		results = append(results, result{each.Name, objects})
	}
	return results, nil
}

// The Kustomizations among the objects. None of the objects has a field that Flux does not know, and every Kustomization
// names a source that is there.
func read(input io.Reader) ([]*kustomizev1.Kustomization, error) {
	var objects []json.RawMessage
	if err := json.NewDecoder(input).Decode(&objects); err != nil {
		return nil, err
	}
	scheme := runtime.NewScheme()
	if err := errors.Join(kustomizev1.AddToScheme(scheme), sourcev1.AddToScheme(scheme)); err != nil {
		return nil, err
	}
	decoder := serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, scheme, scheme, serializer.SerializerOptions{Strict: true})
	sources := map[string]bool{}
	var kustomizations []*kustomizev1.Kustomization
	for _, text := range objects {
		object, kind, err := decoder.Decode(text, nil, nil)
		if err != nil {
			return nil, err
		}
		switch object := object.(type) {
		case *kustomizev1.Kustomization:
			kustomizations = append(kustomizations, object)
		case sourcev1.Source:
			metadata := object.(interface {
				GetNamespace() string
				GetName() string
			})
			sources[kind.Kind+" "+metadata.GetNamespace()+"/"+metadata.GetName()] = true
		}
	}
	for _, each := range kustomizations {
		reference := each.Spec.SourceRef
		if reference.Namespace == "" {
			reference.Namespace = each.Namespace
		}
		if source := reference.Kind + " " + reference.Namespace + "/" + reference.Name; !sources[source] {
			return nil, fmt.Errorf("Kustomization %s: source %s not found", each.Name, source)
		}
	}
	return kustomizations, nil
}

// Builds in a copy of the tree, as the controller does in an artifact of its own: what Flux adds to kustomization.yaml stays there.
func build(tree string, kustomization *kustomizev1.Kustomization) (objects []unstructured.Unstructured, err error) {
	work, err := os.MkdirTemp("", "flux-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	if err := os.CopyFS(work, os.DirFS(tree)); err != nil {
		return nil, err
	}
	folder, err := securejoin.SecureJoin(work, kustomization.Spec.Path)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(folder); err != nil {
		return nil, fmt.Errorf("path %s not found", kustomization.Spec.Path)
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(kustomization)
	if err != nil {
		return nil, err
	}
	generator := kustomize.NewGenerator(work, unstructured.Unstructured{Object: content})
	if _, err := generator.WriteFile(folder); err != nil {
		return nil, err
	}
	// Nothing that synth writes is fetched from elsewhere, which a controller may refuse.
	built, err := kustomize.SecureBuild(work, folder, false)
	if err != nil {
		return nil, err
	}
	text, err := built.AsYaml()
	if err != nil {
		return nil, err
	}
	reader := yaml.NewYAMLOrJSONDecoder(strings.NewReader(string(text)), len(text))
	for {
		var object unstructured.Unstructured
		if err := reader.Decode(&object); errors.Is(err, io.EOF) {
			return objects, nil
		} else if err != nil {
			return nil, err
		}
		objects = append(objects, object)
	}
}
