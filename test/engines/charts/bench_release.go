package main

import (
	"fmt"
	"sort"
	"strings"
	"syscall"

	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/releaseutil"
	"sigs.k8s.io/yaml"
)

// benchRequest is a chart that is loaded once, and rendered for each of these releases.
type benchRequest struct {
	releaseRequest
	Releases []string `json:"releases"`
}

// benchAnswer has what the renderings cost.
type benchAnswer struct {
	// Seconds are processor time without the loading.
	Seconds float64 `json:"seconds"`
	// PeakMemory of the process, in bytes.
	PeakMemory int64 `json:"peakMemory"`
	// Objects of all releases, with those of crds/.
	Objects int `json:"objects"`
	// Characters of these objects.
	Characters int `json:"characters"`
}

// benchRelease does for each release what an agent of addon-framework does: values, templates, and objects of all files.
func benchRelease(asked *benchRequest) answer {
	prepared, err := prepareRelease(&asked.releaseRequest)
	if err != nil {
		return answer{Error: err.Error()}
	}
	result := &benchAnswer{}
	start := processorSeconds()
	for _, name := range asked.Releases {
		options := chartutil.ReleaseOptions{Name: name, Namespace: asked.Namespace, Revision: 1, IsInstall: true}
		if err := result.add(prepared, options); err != nil {
			return answer{Error: err.Error()}
		}
	}
	result.Seconds = processorSeconds() - start
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	result.PeakMemory = usage.Maxrss * 1024
	return answer{Bench: result}
}

func (b *benchAnswer) add(prepared *preparedRelease, options chartutil.ReleaseOptions) error {
	top, err := chartutil.ToRenderValues(prepared.loaded, prepared.values, options, prepared.capabilities)
	if err != nil {
		return err
	}
	texts := []string{}
	for _, crd := range prepared.loaded.CRDObjects() {
		texts = append(texts, string(crd.File.Data))
	}
	rendered, err := engine.Engine{}.Render(prepared.loaded, top)
	if err != nil {
		return err
	}
	names := make([]string, 0, len(rendered))
	for name := range rendered {
		if !strings.HasSuffix(name, "NOTES.txt") {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for _, name := range names {
		texts = append(texts, rendered[name])
	}
	for _, text := range texts {
		for _, document := range releaseutil.SplitManifests(text) {
			object := map[string]any{}
			if err := yaml.Unmarshal([]byte(document), &object); err != nil {
				return fmt.Errorf("%w in %s", err, document)
			}
			if len(object) > 0 {
				b.Objects++
				b.Characters += len(document)
			}
		}
	}
	return nil
}

func processorSeconds() float64 {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}
