package main

import (
	"context"
	"syscall"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"open-cluster-management.io/addon-framework/pkg/addonfactory"
	addonv1beta1 "open-cluster-management.io/api/addon/v1beta1"
	clusterv1 "open-cluster-management.io/api/cluster/v1"
)

// benchRequest is a chart and the values of each cluster.
type benchRequest struct {
	Files  map[string]string     `json:"files"`
	Values []addonfactory.Values `json:"values"`
}

// benchAnswer has the processor time of rendering, and how many manifests there were.
type benchAnswer struct {
	Seconds float64 `json:"seconds"`
	Count   int     `json:"count"`
	Error   string  `json:"error,omitempty"`
}

func bench(asked *benchRequest) benchAnswer {
	index := 0
	values := func(*clusterv1.ManagedCluster, *addonv1beta1.ManagedClusterAddOn) (addonfactory.Values, error) {
		return asked.Values[index], nil
	}
	add, err := addonfactory.NewAgentAddonFactory("hello", embedded(asked.Files), "files").
		WithGetValuesFuncs(values).BuildHelmAgentAddon()
	if err != nil {
		return benchAnswer{Error: err.Error()}
	}
	addOn := &addonv1beta1.ManagedClusterAddOn{ObjectMeta: metav1.ObjectMeta{Name: "hello"}}
	var result benchAnswer
	start := processorSeconds()
	for index = range asked.Values {
		name, _ := asked.Values[index]["clusterName"].(string)
		cluster := &clusterv1.ManagedCluster{ObjectMeta: metav1.ObjectMeta{Name: name}}
		cluster.Status.Version.Kubernetes = "v1.31.2"
		objects, err := add.Manifests(context.Background(), cluster, addOn)
		if err != nil {
			return benchAnswer{Error: err.Error()}
		}
		result.Count += len(objects)
	}
	result.Seconds = processorSeconds() - start
	return result
}

func processorSeconds() float64 {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}
