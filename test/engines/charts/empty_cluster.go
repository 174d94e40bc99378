package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// namespacedKinds and clusterKinds are the APIs of the cluster: kinds with their resources, by group and version.
var namespacedKinds = map[string]map[string]string{
	"v1": {
		"ConfigMap": "configmaps", "Secret": "secrets", "Service": "services", "ServiceAccount": "serviceaccounts", "Pod": "pods",
		"PersistentVolumeClaim": "persistentvolumeclaims", "ResourceQuota": "resourcequotas", "LimitRange": "limitranges",
	},
	"apps/v1":                      {"Deployment": "deployments", "DaemonSet": "daemonsets", "StatefulSet": "statefulsets"},
	"batch/v1":                     {"Job": "jobs", "CronJob": "cronjobs"},
	"rbac.authorization.k8s.io/v1": {"Role": "roles", "RoleBinding": "rolebindings"},
	"networking.k8s.io/v1":         {"Ingress": "ingresses", "NetworkPolicy": "networkpolicies"},
	"policy/v1":                    {"PodDisruptionBudget": "poddisruptionbudgets"},
	"autoscaling/v2":               {"HorizontalPodAutoscaler": "horizontalpodautoscalers"},
	"coordination.k8s.io/v1":       {"Lease": "leases"},
}

var clusterKinds = map[string]map[string]string{
	"v1":                           {"Namespace": "namespaces", "PersistentVolume": "persistentvolumes"},
	"rbac.authorization.k8s.io/v1": {"ClusterRole": "clusterroles", "ClusterRoleBinding": "clusterrolebindings"},
	"networking.k8s.io/v1":         {"IngressClass": "ingressclasses"},
	"scheduling.k8s.io/v1":         {"PriorityClass": "priorityclasses"},
	"storage.k8s.io/v1":            {"StorageClass": "storageclasses"},
	"apiextensions.k8s.io/v1":      {"CustomResourceDefinition": "customresourcedefinitions"},
	"apiregistration.k8s.io/v1":    {"APIService": "apiservices"},
	"admissionregistration.k8s.io/v1": {
		"ValidatingWebhookConfiguration": "validatingwebhookconfigurations",
		"MutatingWebhookConfiguration":   "mutatingwebhookconfigurations",
	},
}

// emptyCluster is an API server that has APIs and no objects, for the clients of one installation.
type emptyCluster struct {
	// resources are those of each group and version.
	resources map[string][]metav1.APIResource
	discovery discovery.CachedDiscoveryInterface
	mapper    meta.RESTMapper
}

func newEmptyCluster() *emptyCluster {
	cluster := &emptyCluster{resources: map[string][]metav1.APIResource{}}
	for groupVersion, kinds := range namespacedKinds {
		for kind, name := range kinds {
			cluster.serve(groupVersion, kind, name, true)
		}
	}
	for groupVersion, kinds := range clusterKinds {
		for kind, name := range kinds {
			cluster.serve(groupVersion, kind, name, false)
		}
	}
	config, _ := cluster.ToRESTConfig()
	cluster.discovery = memory.NewMemCacheClient(discovery.NewDiscoveryClientForConfigOrDie(config))
	cluster.mapper = restmapper.NewDeferredDiscoveryRESTMapper(cluster.discovery)
	return cluster
}

func (c *emptyCluster) serve(groupVersion, kind, name string, namespaced bool) {
	verbs := metav1.Verbs{"create", "get", "list", "patch", "delete"}
	served := metav1.APIResource{Name: name, SingularName: strings.ToLower(kind), Kind: kind, Namespaced: namespaced, Verbs: verbs}
	c.resources[groupVersion] = append(c.resources[groupVersion], served)
}

// define serves the kinds of a CustomResourceDefinition.
func (c *emptyCluster) define(object *unstructured.Unstructured) {
	if object.GetKind() != "CustomResourceDefinition" {
		return
	}
	text := func(fields ...string) string {
		value, _, _ := unstructured.NestedString(object.Object, fields...)
		return value
	}
	versions, _, _ := unstructured.NestedSlice(object.Object, "spec", "versions")
	for _, version := range versions {
		name, _, _ := unstructured.NestedString(version.(map[string]any), "name")
		groupVersion := text("spec", "group") + "/" + name
		c.serve(groupVersion, text("spec", "names", "kind"), text("spec", "names", "plural"), text("spec", "scope") == "Namespaced")
	}
}

// RoundTrip answers with the APIs. No object is found.
func (c *emptyCluster) RoundTrip(asked *http.Request) (*http.Response, error) {
	path := strings.Trim(asked.URL.Path, "/")
	groupVersion := strings.TrimPrefix(strings.TrimPrefix(path, "apis/"), "api/")
	switch {
	case path == "api":
		return respond(asked, http.StatusOK, metav1.APIVersions{Versions: []string{"v1"}})
	case path == "apis":
		return respond(asked, http.StatusOK, c.groups())
	case c.resources[groupVersion] != nil:
		return respond(asked, http.StatusOK, metav1.APIResourceList{GroupVersion: groupVersion, APIResources: c.resources[groupVersion]})
	}
	return respond(asked, http.StatusNotFound, metav1.Status{Status: metav1.StatusFailure, Reason: metav1.StatusReasonNotFound, Code: http.StatusNotFound})
}

func (c *emptyCluster) groups() metav1.APIGroupList {
	var list metav1.APIGroupList
	for groupVersion := range c.resources {
		parsed, err := schema.ParseGroupVersion(groupVersion)
		if err != nil || parsed.Group == "" {
			continue
		}
		version := metav1.GroupVersionForDiscovery{GroupVersion: groupVersion, Version: parsed.Version}
		group := metav1.APIGroup{Name: parsed.Group, Versions: []metav1.GroupVersionForDiscovery{version}, PreferredVersion: version}
		list.Groups = append(list.Groups, group)
	}
	return list
}

func respond(asked *http.Request, code int, body any) (*http.Response, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return &http.Response{
		StatusCode: code, Request: asked, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": []string{"application/json"}},
		Body:   io.NopCloser(bytes.NewReader(text)), ContentLength: int64(len(text)),
	}, nil
}

func (c *emptyCluster) ToRESTConfig() (*rest.Config, error) {
	return &rest.Config{Host: "http://cluster", Transport: c, QPS: -1}, nil
}

func (c *emptyCluster) ToDiscoveryClient() (discovery.CachedDiscoveryInterface, error) {
	return c.discovery, nil
}

func (c *emptyCluster) ToRESTMapper() (meta.RESTMapper, error) {
	return c.mapper, nil
}

func (c *emptyCluster) ToRawKubeConfigLoader() clientcmd.ClientConfig {
	return clientcmd.NewDefaultClientConfig(clientcmdapi.Config{}, &clientcmd.ConfigOverrides{})
}
