package main

import (
	"context"
	"fmt"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	addonv1beta1 "open-cluster-management.io/api/addon/v1beta1"
	addonclient "open-cluster-management.io/api/client/addon/clientset/versioned"
	clusterclient "open-cluster-management.io/api/client/cluster/clientset/versioned"
)

// hub holds the parts of a running hub.
type hub struct {
	folder *stateFolder
	crds   string
	// Whether ManifestWorkReplicaSets have their controller.
	workReplicaSets bool
	// Whether OCM's admission webhooks are called.
	admission bool
	// Whether the work agents of managed clusters have only the permissions that OCM's operator grants them.
	workAgentPermissions bool
	// How OCM's scheduler is served: get, post, or not at all.
	placementServer string
	// A file for the audit log of the API server, if any.
	auditLog string
	// Whether the API server serves MutatingAdmissionPolicies.
	mutatingPolicies bool
	periods          periods
	// How the agents of managed clusters register add-ons with the hub: csr or token.
	addOnRegistration string
	// Errors of components that ended although nobody asked them to.
	failed chan error

	etcd            *embed.Etcd
	etcdURL         string
	server          *apiServer
	ocm             *ocmControllers
	adminKubeconfig string
	placement       *placementServer
	// The first of the clusters of --managed-cluster, which faults concern. Absent without them.
	managed *managedCluster
}

// start brings the hub up, each part after those that it needs, and returns when it answers.
func (h *hub) start(ctx context.Context) error {
	var err error
	if h.etcd, h.etcdURL, err = startEtcd(h.folder); err != nil {
		return fmt.Errorf("etcd: %w", err)
	}
	if h.server, err = startAPIServer(ctx, h.folder, "hub", h.etcdURL, apiServerExtras{auditLog: h.auditLog, mutatingPolicies: h.mutatingPolicies}, h.failed); err != nil {
		return err
	}
	webhooks, err := startWebhooks(ctx, h.folder, h.server.config, h.server.authority, h.failed)
	if err != nil {
		return err
	}
	crds, err := readCRDs(h.crds)
	if err != nil {
		return err
	}
	convertWith(crds, webhooks+"/convert", h.server.authority.certPEM)
	if err := installCRDs(ctx, h.server.config, crds); err != nil {
		return err
	}
	if err := startKubeControllers(ctx, h.folder, h.server, h.periods.certificateDuration, h.failed); err != nil {
		return err
	}
	if err := createNamespace(ctx, h.server.config, hubNamespace); err != nil {
		return err
	}
	if h.ocm, err = newOCMControllers(h.server.config, h.failed); err != nil {
		return err
	}
	if err := h.startPlacementServer(ctx); err != nil {
		return err
	}
	h.ocm.start(ctx)
	if h.workReplicaSets {
		if err := startWorkReplicaSets(ctx, h.server.config); err != nil {
			return err
		}
	}
	if err := waitForOCM(ctx, h.server.config); err != nil {
		return err
	}
	if h.admission {
		if err := admitWith(ctx, h.server.config, webhooks, h.server.authority.certPEM); err != nil {
			return err
		}
	}
	h.adminKubeconfig = h.server.kubeconfigFile
	return nil
}

// startPlacementServer serves OCM's scheduler, and makes a pod of it to which the API server forwards ports.
func (h *hub) startPlacementServer(ctx context.Context) error {
	if h.placementServer == "" {
		return nil
	}
	var err error
	if h.placement, err = startPlacementServer(ctx, h.folder, h.server, h.failed); err != nil {
		return fmt.Errorf("placement server: %w", err)
	}
	container := "placement-controller"
	if h.placementServer == placementsByName {
		// The placement controller installs itself.
		h.ocm.placementServer = h.placement.server
	} else {
		container = "debug-server"
		if err := h.placement.simulate(ctx, h.server); err != nil {
			return fmt.Errorf("placement server: %w", err)
		}
	}
	return startKubelet(ctx, h.folder, h.server, h.placement.port, container)
}

// stop ends etcd, so that it writes no more files into a folder that is about to be removed. A graceful end would wait
// for the watches of the API server; the other parts share this process and end with it.
func (h *hub) stop() {
	if h.etcd != nil {
		h.etcd.Server.HardStop()
	}
}

// waitForOCM returns when OCM's controllers work: the default and the global cluster set are there, which the
// registration controllers create, and the conversion webhook answers.
func waitForOCM(ctx context.Context, config *rest.Config) error {
	clusters, err := clusterclient.NewForConfig(config)
	if err != nil {
		return err
	}
	addons, err := addonclient.NewForConfig(config)
	if err != nil {
		return err
	}
	var last error
	err = wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		for _, set := range []string{"default", "global"} {
			if _, last = clusters.ClusterV1beta2().ManagedClusterSets().Get(ctx, set, metav1.GetOptions{}); last != nil {
				return false, nil
			}
		}
		last = convertsAddOns(ctx, addons)
		return last == nil, nil
	})
	if err != nil {
		return fmt.Errorf("OCM's controllers do not answer: %w (%v)", err, last)
	}
	return nil
}

// convertsAddOns has the API server convert an object, without storing it.
func convertsAddOns(ctx context.Context, addons addonclient.Interface) error {
	probe := &addonv1beta1.ClusterManagementAddOn{ObjectMeta: metav1.ObjectMeta{Name: "conversion-probe"}}
	probe.Spec.InstallStrategy.Type = addonv1beta1.AddonInstallStrategyManual
	_, err := addons.AddonV1beta1().ClusterManagementAddOns().Create(ctx, probe, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	return err
}

func createNamespace(ctx context.Context, config *rest.Config, name string) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	_, err = client.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{})
	return err
}
