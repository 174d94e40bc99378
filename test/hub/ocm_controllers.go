package main

import (
	"context"
	"fmt"

	"github.com/openshift/library-go/pkg/controller/controllercmd"
	"k8s.io/client-go/rest"
	ocmfeature "open-cluster-management.io/api/feature"
	"open-cluster-management.io/ocm/pkg/addon"
	"open-cluster-management.io/ocm/pkg/features"
	placement "open-cluster-management.io/ocm/pkg/placement/controllers"
	registration "open-cluster-management.io/ocm/pkg/registration/hub"
)

// hubNamespace is where OCM's hub components live and where signing CAs are looked up by default.
const hubNamespace = "open-cluster-management-hub"

// bootstrapUser is whom a managed cluster is before it has a certificate of its own.
const bootstrapUser = "managed-cluster-bootstrap"

// startOCMControllers runs the three controller managers of an OCM hub in this process, with the feature gates that
// OCM's operator leaves at their defaults.
func startOCMControllers(ctx context.Context, config *rest.Config, failed chan<- error) error {
	if err := features.HubMutableFeatureGate.Add(ocmfeature.DefaultHubRegistrationFeatureGates); err != nil {
		return err
	}
	// Lets the agents of --managed-cluster in; it concerns the bootstrap user alone.
	if err := features.HubMutableFeatureGate.SetFromMap(map[string]bool{string(ocmfeature.ManagedClusterAutoApproval): true}); err != nil {
		return err
	}
	hub := registration.NewHubManagerOptions()
	hub.AutoApprovedCSRUsers = []string{bootstrapUser}

	for name, start := range map[string]controllercmd.StartFunc{
		"placement":    placement.RunControllerManager,
		"addon":        addon.RunManager,
		"registration": hub.RunControllerManager,
	} {
		go func() {
			if err := start(ctx, controllerContext(config)); err != nil {
				failed <- fmt.Errorf("OCM's %s controllers: %w", name, err)
			}
		}()
	}
	return nil
}

// controllerContext is what OCM's command line hands to a controller manager.
func controllerContext(config *rest.Config) *controllercmd.ControllerContext {
	return &controllercmd.ControllerContext{KubeConfig: rest.CopyConfig(config), OperatorNamespace: hubNamespace}
}
