package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/openshift/library-go/pkg/controller/controllercmd"
	"k8s.io/apiserver/pkg/server"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
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

// ocmControllers are the three controller managers of an OCM hub.
type ocmControllers struct {
	config *rest.Config
	failed chan<- error
	stop   context.CancelFunc
	ended  sync.WaitGroup
	// The add-on manager can be stopped alone.
	stopAddOns  context.CancelFunc
	addOnsEnded sync.WaitGroup
	// Where the placement controller serves the results of its scheduler, if anywhere.
	placementServer *server.GenericAPIServer
}

// newOCMControllers returns the controllers, which are not started yet.
func newOCMControllers(config *rest.Config, failed chan<- error) (*ocmControllers, error) {
	if err := setFeatureGates(); err != nil {
		return nil, err
	}
	return &ocmControllers{config: config, failed: failed}, nil
}

// runAddOnManager runs OCM's add-on manager alone, as the process that it is on a hub that OCM's operator made.
func runAddOnManager(ctx context.Context, kubeconfig string) error {
	if err := setFeatureGates(); err != nil {
		return err
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.QPS, config.Burst = clientQPS, clientBurst
	// By which the audit log tells its writes from those of the hub's other controllers.
	config.UserAgent = "add-on-manager"
	if err := addon.RunManager(ctx, controllerContext(config)); err != nil && ctx.Err() == nil {
		return err
	}
	return nil
}

// setFeatureGates sets those that OCM's operator leaves at their defaults.
func setFeatureGates() error {
	if err := features.HubMutableFeatureGate.Add(ocmfeature.DefaultHubRegistrationFeatureGates); err != nil {
		return err
	}
	// OCM's webhook for works reads these.
	if err := features.HubMutableFeatureGate.Add(ocmfeature.DefaultHubWorkFeatureGates); err != nil {
		return err
	}
	// Lets the agents of --managed-cluster in; it concerns the bootstrap user alone.
	if err := features.HubMutableFeatureGate.SetFromMap(map[string]bool{string(ocmfeature.ManagedClusterAutoApproval): true}); err != nil {
		return err
	}
	return nil
}

// start runs the controllers in this process. They have no memory of an earlier run.
func (c *ocmControllers) start(ctx context.Context) {
	c.startAddOnManager(ctx)
	c.startOthers(ctx)
}

// startOthers runs all controllers but the add-on manager.
func (c *ocmControllers) startOthers(ctx context.Context) {
	ctx, c.stop = context.WithCancel(ctx)
	hub := registration.NewHubManagerOptions()
	hub.AutoApprovedCSRUsers = []string{bootstrapUser}
	c.run(ctx, &c.ended, "placement", func(ctx context.Context, context *controllercmd.ControllerContext) error {
		context.Server = c.placementServer
		return placement.RunControllerManager(ctx, context)
	})
	c.run(ctx, &c.ended, "registration", hub.RunControllerManager)
}

func (c *ocmControllers) startAddOnManager(ctx context.Context) {
	ctx, c.stopAddOns = context.WithCancel(ctx)
	c.run(ctx, &c.addOnsEnded, "addon", addon.RunManager)
}

func (c *ocmControllers) run(ctx context.Context, ended *sync.WaitGroup, name string, run controllercmd.StartFunc) {
	ended.Go(func() {
		if err := run(ctx, controllerContext(c.config)); err != nil && ctx.Err() == nil {
			c.failed <- fmt.Errorf("OCM's %s controllers: %w", name, err)
		}
	})
}

// stopAddOnManager returns when the add-on manager writes nothing any more.
func (c *ocmControllers) stopAddOnManager() {
	c.stopAddOns()
	c.addOnsEnded.Wait()
}

// stopAll returns when no controller writes any more.
func (c *ocmControllers) stopAll() {
	c.stop()
	c.stopAddOnManager()
	c.ended.Wait()
}

// controllerContext is what OCM's command line hands to a controller manager.
func controllerContext(config *rest.Config) *controllercmd.ControllerContext {
	return &controllercmd.ControllerContext{KubeConfig: rest.CopyConfig(config), OperatorNamespace: hubNamespace}
}
