package main

import (
	"context"
	"fmt"
	"strings"

	configv1 "github.com/openshift/api/config/v1"
	operatorv1alpha1 "github.com/openshift/api/operator/v1alpha1"
	"github.com/openshift/library-go/pkg/config/serving"
	"k8s.io/apiserver/pkg/server"
	"k8s.io/client-go/kubernetes"
	placementdebugger "open-cluster-management.io/ocm/pkg/placement/debugger"
)

// The ways in which OCM serves the results of its scheduler below /debug/placements/.
const (
	// placementsByName is what releases before 1.3 serve: a GET of a Placement on the hub.
	placementsByName = "get"
	// placementsInBody is what releases from 1.3 on serve: also a POST of a Placement that need not exist.
	placementsInBody = "post"
)

// placementServer is the server of OCM's placement controller.
type placementServer struct {
	url    string
	port   int
	server *server.GenericAPIServer
}

// startPlacementServer serves what is installed into it with the authentication and the authorization of the hub, as the
// command line of OCM's controllers does.
func startPlacementServer(ctx context.Context, folder *stateFolder, hub *apiServer, failed chan<- error) (*placementServer, error) {
	pair, err := hub.authority.server()
	if err != nil {
		return nil, err
	}
	for name, content := range map[string][]byte{"tls.crt": pair.certPEM, "tls.key": pair.keyPEM} {
		if _, err := folder.write("placement/"+name, content); err != nil {
			return nil, err
		}
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	address := fmt.Sprintf("127.0.0.1:%d", port)
	client, err := kubernetes.NewForConfig(hub.config)
	if err != nil {
		return nil, err
	}
	info := configv1.HTTPServingInfo{ServingInfo: configv1.ServingInfo{
		BindAddress: address, BindNetwork: "tcp",
		CertInfo: configv1.CertInfo{CertFile: folder.file("placement", "tls.crt"), KeyFile: folder.file("placement", "tls.key")},
	}}
	config, err := serving.ToServerConfig(ctx, info, operatorv1alpha1.DelegatedAuthentication{}, operatorv1alpha1.DelegatedAuthorization{},
		hub.kubeconfigFile, client, nil, false, nil)
	if err != nil {
		return nil, err
	}
	generic, err := config.Complete(nil).New("placement", server.NewEmptyDelegate())
	if err != nil {
		return nil, err
	}
	go func() {
		if err := generic.PrepareRun().RunWithContext(ctx); err != nil && ctx.Err() == nil {
			failed <- fmt.Errorf("placement server: %w", err)
		}
	}()
	return &placementServer{url: "https://" + address, port: port, server: generic}, nil
}

// simulate has the server answer Placements in the bodies of requests.
func (s *placementServer) simulate(ctx context.Context, hub *apiServer) error {
	simulation, err := newPlacementSimulation(ctx, hub.config)
	if err != nil {
		return err
	}
	s.server.Handler.NonGoRestfulMux.HandlePrefix(placementdebugger.DebugPath, simulation)
	return nil
}

func validatePlacementServer(kind string) error {
	kinds := []string{"", placementsByName, placementsInBody}
	for _, each := range kinds {
		if kind == each {
			return nil
		}
	}
	return fmt.Errorf("--placement-server has to be %s, not %q", strings.Join(kinds[1:], " or "), kind)
}
