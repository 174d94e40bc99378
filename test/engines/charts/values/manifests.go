package main

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"sort"
	"strings"
	"unsafe"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/scheme"
	"open-cluster-management.io/addon-framework/pkg/addonfactory"
	"open-cluster-management.io/addon-framework/pkg/agent"
	addonv1beta1 "open-cluster-management.io/api/addon/v1beta1"
	clusterv1 "open-cluster-management.io/api/cluster/v1"
)

// manifestsAnswer has what an agent renders, in its order, or why it does not.
type manifestsAnswer struct {
	Objects []json.RawMessage `json:"objects,omitempty"`
	Error   string            `json:"error,omitempty"`
	// Errors has all errors of several attempts: the order in which documents are decoded is random.
	Errors []string `json:"errors,omitempty"`
}

// attempts is how often an agent renders that fails.
const attempts = 40

// renderFiles builds an agent of the files and renders its manifests.
func renderFiles(
	files map[string]string, build func(embed.FS, string) *addonfactory.AgentAddonFactory, isChart, strict bool,
	cluster *clusterv1.ManagedCluster, addOn *addonv1beta1.ManagedClusterAddOn,
) (result manifestsAnswer) {
	defer func() {
		// Templates of the template agent that do not parse, or fail, panic.
		if panicked := recover(); panicked != nil {
			result = manifestsAnswer{Error: fmt.Sprintf("panic: %v", panicked)}
		}
	}()
	factory := build(embedded(files), "files")
	if strict {
		factory = factory.WithHelmEngineStrict()
	}
	var add agent.AgentAddon
	var err error
	if isChart {
		add, err = factory.BuildHelmAgentAddon()
	} else {
		add, err = factory.BuildTemplateAgentAddon()
	}
	if err != nil {
		return manifestsAnswer{Error: err.Error()}
	}
	objects, err := add.Manifests(context.Background(), cluster, addOn)
	if err == nil {
		return asJSON(objects)
	}
	result.Error = err.Error()
	seen := map[string]bool{}
	for range attempts {
		if _, err := add.Manifests(context.Background(), cluster, addOn); err != nil && !seen[err.Error()] {
			seen[err.Error()] = true
			result.Errors = append(result.Errors, err.Error())
		}
	}
	return result
}

func asJSON(objects []runtime.Object) manifestsAnswer {
	result := manifestsAnswer{Objects: []json.RawMessage{}}
	for _, object := range objects {
		raw, err := json.Marshal(object)
		if err != nil {
			return manifestsAnswer{Error: err.Error()}
		}
		result.Objects = append(result.Objects, raw)
	}
	return result
}

// decode converts objects as the decoder of addon-framework's agents does: to the structs of their kinds.
func decode(objects []json.RawMessage) manifestsAnswer {
	known := runtime.NewScheme()
	_ = scheme.AddToScheme(known)
	_ = apiextensionsv1.AddToScheme(known)
	decoder := serializer.NewCodecFactory(known).UniversalDeserializer()
	var decoded []runtime.Object
	for _, raw := range objects {
		object, _, err := decoder.Decode(raw, nil, nil)
		if err != nil {
			return manifestsAnswer{Error: err.Error()}
		}
		decoded = append(decoded, object)
	}
	return asJSON(decoded)
}

// embeddedFile has the layout of a file of package embed.
type embeddedFile struct {
	name string
	data string
	hash [16]byte
}

// embedded returns a file system such as the compiler embeds, which is the only one that addon-framework accepts.
func embedded(files map[string]string) embed.FS {
	list := []embeddedFile{}
	seen := map[string]bool{}
	for name, text := range files {
		full := "files/" + name
		list = append(list, embeddedFile{name: full, data: text})
		for folder := path.Dir(full); folder != "." && !seen[folder]; folder = path.Dir(folder) {
			seen[folder] = true
			list = append(list, embeddedFile{name: folder + "/"})
		}
	}
	// As embed: by folder, then by name.
	key := func(name string) (string, string) {
		trimmed := strings.TrimSuffix(name, "/")
		return path.Dir(trimmed), path.Base(trimmed)
	}
	sort.Slice(list, func(i, j int) bool {
		folderI, nameI := key(list[i].name)
		folderJ, nameJ := key(list[j].name)
		return folderI < folderJ || folderI == folderJ && nameI < nameJ
	})
	pointer := &list
	return *(*embed.FS)(unsafe.Pointer(&pointer))
}
