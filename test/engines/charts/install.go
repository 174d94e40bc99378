package main

import (
	"encoding/json"
	"io"
	"time"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/kube"
	kubefake "helm.sh/helm/v3/pkg/kube/fake"
	"helm.sh/helm/v3/pkg/release"
	"helm.sh/helm/v3/pkg/storage"
	"helm.sh/helm/v3/pkg/storage/driver"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/cli-runtime/pkg/resource"
)

// installation is what `helm install` does on a cluster without objects.
type installation struct {
	// Created are the objects in the order in which Helm creates them, with the namespaces that it sets.
	Created []json.RawMessage `json:"created"`
	Hooks   []hookAnswer      `json:"hooks"`
}

// hookAnswer is an object that Helm regards as a hook.
type hookAnswer struct {
	Kind   string              `json:"kind"`
	Name   string              `json:"name"`
	Events []release.HookEvent `json:"events"`
	Weight int                 `json:"weight"`
}

func install(loaded *chart.Chart, values map[string]any, capabilities *chartutil.Capabilities, asked *releaseRequest) (*installation, error) {
	cluster := newEmptyCluster()
	client := kube.New(cluster)
	client.Namespace = asked.Namespace
	recorder := &recordingClient{client: client, cluster: cluster, built: map[*resource.Info]json.RawMessage{}}
	config := &action.Configuration{
		RESTClientGetter: cluster,
		Releases:         storage.Init(driver.NewMemory()),
		KubeClient:       recorder,
		Capabilities:     capabilities,
		Log:              func(string, ...any) {},
	}
	installer := action.NewInstall(config)
	installer.ReleaseName = asked.Release
	installer.Namespace = asked.Namespace
	installer.DisableOpenAPIValidation = true
	installer.Timeout = time.Second
	installed, err := installer.Run(loaded, values)
	if err != nil {
		return nil, err
	}
	result := &installation{Created: recorder.created, Hooks: []hookAnswer{}}
	for _, hook := range installed.Hooks {
		result.Hooks = append(result.Hooks, hookAnswer{Kind: hook.Kind, Name: hook.Name, Events: hook.Events, Weight: hook.Weight})
	}
	return result, nil
}

// recordingClient builds objects as Helm's client does, and records what it is asked to create.
type recordingClient struct {
	kubefake.PrintingKubeClient
	client  *kube.Client
	cluster *emptyCluster
	// built are the objects before Helm adds the labels and annotations of its ownership.
	built   map[*resource.Info]json.RawMessage
	created []json.RawMessage
}

// Build does not validate: the cluster has no schemas.
func (c *recordingClient) Build(reader io.Reader, _ bool) (kube.ResourceList, error) {
	infos, err := c.client.Build(reader, false)
	for _, info := range infos {
		object := info.Object.(*unstructured.Unstructured).DeepCopy()
		if !info.Namespaced() {
			// As EnsureObjectNamespaceMatchesRequestNamespace of the API server.
			unstructured.RemoveNestedField(object.Object, "metadata", "namespace")
		}
		text, marshalErr := json.Marshal(object)
		if marshalErr != nil {
			return nil, marshalErr
		}
		c.built[info] = text
	}
	return infos, err
}

func (c *recordingClient) Create(resources kube.ResourceList) (*kube.Result, error) {
	for _, info := range resources {
		c.created = append(c.created, c.built[info])
		c.cluster.define(info.Object.(*unstructured.Unstructured))
	}
	return &kube.Result{Created: resources}, nil
}

func (c *recordingClient) Wait(kube.ResourceList, time.Duration) error { return nil }

func (c *recordingClient) WatchUntilReady(kube.ResourceList, time.Duration) error { return nil }

func (c *recordingClient) WaitForDelete(kube.ResourceList, time.Duration) error { return nil }

func (c *recordingClient) Delete(resources kube.ResourceList) (*kube.Result, []error) {
	return &kube.Result{Deleted: resources}, nil
}
