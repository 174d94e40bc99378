package main

import (
	"encoding/base64"
	"strings"

	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
)

// releaseRequest is a whole chart, rendered as `helm template` does.
type releaseRequest struct {
	// Files are in base64, by their paths in the folder of the chart, after .helmignore.
	Files map[string]string `json:"files"`
	// Values is the text of a values file.
	Values      string `json:"values"`
	Release     string `json:"release"`
	Namespace   string `json:"namespace"`
	KubeVersion string `json:"kubeVersion"`
}

func renderRelease(asked *releaseRequest) answer {
	var files []*loader.BufferedFile
	for name, text := range asked.Files {
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return answer{Error: err.Error()}
		}
		files = append(files, &loader.BufferedFile{Name: name, Data: data})
	}
	loaded, err := loader.LoadFiles(files)
	if err != nil {
		return answer{Error: err.Error()}
	}
	version, err := chartutil.ParseKubeVersion(asked.KubeVersion)
	if err != nil {
		return answer{Error: err.Error()}
	}
	// As action.Install: the engine does not look at it.
	if wanted := loaded.Metadata.KubeVersion; wanted != "" && !chartutil.IsCompatibleRange(wanted, version.String()) {
		return answer{Error: "chart requires kubeVersion: " + wanted}
	}
	values, err := chartutil.ReadValues([]byte(asked.Values))
	if err != nil {
		return answer{Error: err.Error()}
	}
	if err := chartutil.ProcessDependenciesWithMerge(loaded, values); err != nil {
		return answer{Error: err.Error()}
	}
	capabilities := chartutil.DefaultCapabilities.Copy()
	capabilities.KubeVersion = *version
	options := chartutil.ReleaseOptions{Name: asked.Release, Namespace: asked.Namespace, Revision: 1, IsInstall: true}
	top, err := chartutil.ToRenderValues(loaded, values, options, capabilities)
	if err != nil {
		return answer{Error: err.Error()}
	}
	rendered, err := engine.Engine{}.Render(loaded, top)
	if err != nil {
		return answer{Error: err.Error()}
	}
	for name := range rendered {
		if strings.HasSuffix(name, "NOTES.txt") {
			delete(rendered, name)
		}
	}
	return answer{Files: rendered}
}

// apiVersions are those that `helm template` assumes.
func apiVersions() answer {
	return answer{APIVersions: chartutil.DefaultCapabilities.APIVersions}
}
