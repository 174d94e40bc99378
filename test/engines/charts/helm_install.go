package main

import (
	"encoding/base64"
	"io"
	"os"
	"path/filepath"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	kubefake "helm.sh/helm/v3/pkg/kube/fake"
	"helm.sh/helm/v3/pkg/storage"
	"helm.sh/helm/v3/pkg/storage/driver"
)

// installRequest is a folder with a chart, rendered as `helm install --dry-run=client` does.
type installRequest struct {
	// Files are in base64, by path.
	Files       map[string]string `json:"files"`
	Values      map[string]any    `json:"values"`
	Release     string            `json:"release"`
	Namespace   string            `json:"namespace"`
	KubeVersion string            `json:"kubeVersion"`
	APIVersions []string          `json:"apiVersions"`
}

// hook is a hook of a release.
type hook struct {
	Path     string   `json:"path"`
	Events   []string `json:"events"`
	Weight   int      `json:"weight"`
	Manifest string   `json:"manifest"`
}

func installChart(asked *installRequest) answer {
	folder, err := os.MkdirTemp("", "chart")
	if err != nil {
		return answer{Error: err.Error()}
	}
	defer os.RemoveAll(folder)
	if err := writeFiles(folder, asked.Files); err != nil {
		return answer{Error: err.Error()}
	}
	loaded, err := loader.LoadDir(folder)
	if err != nil {
		return answer{Error: err.Error()}
	}
	version, err := chartutil.ParseKubeVersion(asked.KubeVersion)
	if err != nil {
		return answer{Error: err.Error()}
	}
	chartutil.DefaultCapabilities.APIVersions = asked.APIVersions
	install := action.NewInstall(&action.Configuration{
		Releases:   storage.Init(driver.NewMemory()),
		KubeClient: &kubefake.PrintingKubeClient{Out: io.Discard},
		Log:        func(string, ...any) {},
	})
	install.ClientOnly = true
	install.DryRun = true
	install.IncludeCRDs = true
	install.ReleaseName = asked.Release
	install.Namespace = asked.Namespace
	install.KubeVersion = version
	release, err := install.Run(loaded, asked.Values)
	if err != nil {
		return answer{Error: err.Error()}
	}
	hooks := []hook{}
	for _, each := range release.Hooks {
		events := []string{}
		for _, event := range each.Events {
			events = append(events, event.String())
		}
		hooks = append(hooks, hook{Path: each.Path, Events: events, Weight: each.Weight, Manifest: each.Manifest})
	}
	return answer{Output: &release.Manifest, Hooks: hooks}
}

func writeFiles(folder string, files map[string]string) error {
	for name, text := range files {
		content, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return err
		}
		place := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(place, content, 0o600); err != nil {
			return err
		}
	}
	return nil
}
