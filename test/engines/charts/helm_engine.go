package main

import (
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
)

// chartRequest is a chart without dependencies, rendered as addon-framework does.
type chartRequest struct {
	Name      string            `json:"name"`
	Templates []template        `json:"templates"`
	Files     map[string]string `json:"files"`
	Values    map[string]any    `json:"values"`
	Strict    bool              `json:"strict"`
	Release   string            `json:"release"`
	Namespace string            `json:"namespace"`
	// KubeVersion is the version of the managed cluster.
	KubeVersion string `json:"kubeVersion"`
}

func renderChart(asked *chartRequest) answer {
	loaded := &chart.Chart{Metadata: &chart.Metadata{Name: asked.Name, Version: "1.0.0", APIVersion: "v2"}}
	for _, each := range asked.Templates {
		loaded.Templates = append(loaded.Templates, &chart.File{Name: each.Name, Data: []byte(each.Text)})
	}
	for name, text := range asked.Files {
		loaded.Files = append(loaded.Files, &chart.File{Name: name, Data: []byte(text)})
	}
	capabilities := &chartutil.Capabilities{KubeVersion: chartutil.KubeVersion{Version: asked.KubeVersion}}
	options := chartutil.ReleaseOptions{Name: asked.Release, Namespace: asked.Namespace}
	values, err := chartutil.ToRenderValues(loaded, asked.Values, options, capabilities)
	if err != nil {
		return answer{Error: err.Error()}
	}
	files, err := engine.Engine{Strict: asked.Strict}.Render(loaded, values)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Files: files}
}
