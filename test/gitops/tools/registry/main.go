// Serves a registry on this machine that has a chart, as `helm push` puts it there: charts/NAME with a tag. Prints its address and the
// digest of the manifest, and ends with its standard input.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/static"
)

const (
	configType  = "application/vnd.cncf.helm.config.v1+json"
	contentType = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"
	imageType   = "application/vnd.oci.image.manifest.v1+json"
)

func main() {
	if err := serve(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve pushes archives, each with its tag.
func serve(repository string, tagsAndFiles []string) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	handler := registry.New(registry.Logger(log.New(io.Discard, "", 0)))
	go func() { _ = http.Serve(listener, handler) }()
	address := listener.Addr().String()
	for at := 0; at+1 < len(tagsAndFiles); at += 2 {
		digest, err := push(address+"/"+repository+":"+tagsAndFiles[at], tagsAndFiles[at+1])
		if err != nil {
			return err
		}
		fmt.Println(address, digest)
	}
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

func push(reference, file string) (string, error) {
	archive, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	tag, err := name.NewTag(reference, name.Insecure)
	if err != nil {
		return "", err
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, imageType), configType)
	image, err = mutate.AppendLayers(image, static.NewLayer(archive, contentType))
	if err != nil {
		return "", err
	}
	if err := remote.Write(tag, image); err != nil {
		return "", err
	}
	digest, err := image.Digest()
	return digest.String(), err
}
