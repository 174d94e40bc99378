package main

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
)

// releaseRequest is a whole chart, rendered as `helm template` does.
type releaseRequest struct {
	// Files are in base64, by their paths in the folder of the chart.
	Files map[string]string `json:"files"`
	// Values is the text of a values file.
	Values      string `json:"values"`
	Release     string `json:"release"`
	Namespace   string `json:"namespace"`
	KubeVersion string `json:"kubeVersion"`
	// Install asks for what `helm install` creates as well.
	Install bool `json:"install,omitempty"`
}

// loadRelease writes the files into a folder, because Helm applies .helmignore to folders only.
func loadRelease(asked *releaseRequest) (*chart.Chart, error) {
	folder, err := os.MkdirTemp("", "chart-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	for name, text := range asked.Files {
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, err
		}
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			return nil, err
		}
	}
	return loader.LoadDir(folder)
}

// preparedRelease is what Helm renders a chart with.
type preparedRelease struct {
	loaded       *chart.Chart
	values       map[string]any
	capabilities *chartutil.Capabilities
}

// prepareRelease loads a chart and applies the rules for its dependencies, on a cluster with the version that is asked for.
func prepareRelease(asked *releaseRequest) (*preparedRelease, error) {
	loaded, err := loadRelease(asked)
	if err != nil {
		return nil, err
	}
	version, err := chartutil.ParseKubeVersion(asked.KubeVersion)
	if err != nil {
		return nil, err
	}
	// As action.Install: the engine does not look at it.
	if wanted := loaded.Metadata.KubeVersion; wanted != "" && !chartutil.IsCompatibleRange(wanted, asked.KubeVersion) {
		return nil, fmt.Errorf("chart requires kubeVersion: %s which is incompatible with Kubernetes %s", wanted, asked.KubeVersion)
	}
	values, err := chartutil.ReadValues([]byte(asked.Values))
	if err != nil {
		return nil, err
	}
	if err := chartutil.ProcessDependenciesWithMerge(loaded, values); err != nil {
		return nil, err
	}
	capabilities := chartutil.DefaultCapabilities.Copy()
	// Of a cluster, Helm takes the version as it is.
	capabilities.KubeVersion = chartutil.KubeVersion{Version: asked.KubeVersion, Major: version.Major, Minor: version.Minor}
	// Charts print it, and it is that of this program.
	capabilities.HelmVersion.GoVersion = ""
	return &preparedRelease{loaded: loaded, values: values, capabilities: capabilities}, nil
}

func renderRelease(asked *releaseRequest) answer {
	prepared, err := prepareRelease(asked)
	if err != nil {
		return answer{Error: err.Error()}
	}
	options := chartutil.ReleaseOptions{Name: asked.Release, Namespace: asked.Namespace, Revision: 1, IsInstall: true}
	top, err := chartutil.ToRenderValues(prepared.loaded, prepared.values, options, prepared.capabilities)
	if err != nil {
		return answer{Error: err.Error()}
	}
	rendered, err := engine.Engine{}.Render(prepared.loaded, top)
	if err != nil {
		return answer{Error: err.Error()}
	}
	for name := range rendered {
		if strings.HasSuffix(name, "NOTES.txt") {
			delete(rendered, name)
		}
	}
	if !asked.Install {
		return answer{Files: rendered}
	}
	// Rules for dependencies have changed the chart.
	loaded, err := loadRelease(asked)
	if err != nil {
		return answer{Error: err.Error()}
	}
	values, err := chartutil.ReadValues([]byte(asked.Values))
	if err != nil {
		return answer{Error: err.Error()}
	}
	installed, err := install(loaded, values, prepared.capabilities, asked)
	if err != nil {
		return answer{Files: rendered, InstallError: err.Error()}
	}
	return answer{Files: rendered, Installation: installed}
}

// apiVersions are those that `helm template` assumes.
func apiVersions() answer {
	return answer{APIVersions: chartutil.DefaultCapabilities.APIVersions}
}
