// Reads an OCI image layout as registries' tools do, checks all of it, and prints what it holds as JSON.
package main

import (
	"archive/tar"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

type artifact struct {
	Digest string            `json:"digest"`
	Config types.MediaType   `json:"config"`
	Layers []types.MediaType `json:"layers"`
	Files  map[string]string `json:"files"`
}

func main() {
	found, err := read(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := json.NewEncoder(os.Stdout).Encode(found); err != nil {
		panic(err)
	}
}

func read(folder string) ([]artifact, error) {
	index, err := layout.ImageIndexFromPath(folder)
	if err != nil {
		return nil, err
	}
	if err := validate.Index(index); err != nil {
		return nil, err
	}
	listed, err := index.IndexManifest()
	if err != nil {
		return nil, err
	}
	var found []artifact
	for _, descriptor := range listed.Manifests {
		image, err := index.Image(descriptor.Digest)
		if err != nil {
			return nil, err
		}
		manifest, err := image.Manifest()
		if err != nil {
			return nil, err
		}
		one := artifact{
			Digest: descriptor.Digest.String(),
			Config: manifest.Config.MediaType,
			Files:  map[string]string{},
		}
		layers, err := image.Layers()
		if err != nil {
			return nil, err
		}
		for index, layer := range layers {
			one.Layers = append(one.Layers, manifest.Layers[index].MediaType)
			content, err := layer.Uncompressed()
			if err != nil {
				return nil, err
			}
			archive := tar.NewReader(content)
			for {
				header, err := archive.Next()
				if err == io.EOF {
					break
				}
				if err != nil {
					return nil, err
				}
				text, err := io.ReadAll(archive)
				if err != nil {
					return nil, err
				}
				one.Files[header.Name] = string(text)
			}
		}
		found = append(found, one)
	}
	return found, nil
}
