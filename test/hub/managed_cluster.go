package main

import (
	"context"
	"fmt"
	"maps"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	clusterclient "open-cluster-management.io/api/client/cluster/clientset/versioned"
	clusterv1 "open-cluster-management.io/api/cluster/v1"
	ocmfeature "open-cluster-management.io/api/feature"
	commonoptions "open-cluster-management.io/ocm/pkg/common/options"
	"open-cluster-management.io/ocm/pkg/features"
	registration "open-cluster-management.io/ocm/pkg/registration/spoke"
	agent "open-cluster-management.io/ocm/pkg/singleton/spoke"
	work "open-cluster-management.io/ocm/pkg/work/spoke"
)

// agentNamespace is where OCM's agents keep their state on a managed cluster.
const agentNamespace = "open-cluster-management-agent"

// managedClusterKinds are OCM's kinds that a managed cluster serves.
var managedClusterKinds = map[string]bool{
	"AppliedManifestWork": true,
	"ClusterClaim":        true,
}

// joinManagedCluster starts a second API server with OCM's registration and work agents, and returns once the hub
// calls that cluster joined and available. Nothing runs the workloads there: a Deployment that a work brings is
// stored and never becomes available, unless a test writes its status.
func (h *hub) joinManagedCluster(ctx context.Context, name string) (*managedClusterAnnouncement, error) {
	server, err := startAPIServer(ctx, h.folder, "managed-"+name, h.etcdURL, h.failed)
	if err != nil {
		return nil, err
	}
	crds, err := readCRDs(h.crds)
	if err != nil {
		return nil, err
	}
	var served []*apiextensionsv1.CustomResourceDefinition
	for _, crd := range crds {
		if managedClusterKinds[crd.Spec.Names.Kind] {
			served = append(served, crd)
		}
	}
	if err := installCRDs(ctx, server.config, served); err != nil {
		return nil, err
	}
	if err := startKubeControllers(ctx, h.folder, server, h.failed); err != nil {
		return nil, err
	}
	if err := createNamespace(ctx, server.config, agentNamespace); err != nil {
		return nil, err
	}
	if err := allowBootstrap(ctx, h.server.config); err != nil {
		return nil, err
	}
	if err := h.startAgents(ctx, name, server); err != nil {
		return nil, err
	}
	if err := acceptCluster(ctx, h.server, name); err != nil {
		return nil, err
	}
	return &managedClusterAnnouncement{Name: name, Kubeconfig: server.kubeconfigFile}, nil
}

// startAgents runs OCM's registration and work agents in this process.
func (h *hub) startAgents(ctx context.Context, name string, server *apiServer) error {
	gates := maps.Clone(ocmfeature.DefaultSpokeRegistrationFeatureGates)
	maps.Copy(gates, ocmfeature.DefaultSpokeWorkFeatureGates)
	if err := features.SpokeMutableFeatureGate.Add(gates); err != nil {
		return err
	}
	client, err := h.server.authority.client(bootstrapUser)
	if err != nil {
		return err
	}
	content, err := kubeconfig(h.server.url, h.server.authority.certPEM, client)
	if err != nil {
		return err
	}
	bootstrap, err := h.folder.write("managed-"+name+"/bootstrap-kubeconfig", content)
	if err != nil {
		return err
	}

	common := commonoptions.NewAgentOptions()
	common.SpokeClusterName = name
	common.AgentID = "agent"
	common.ComponentNamespace = agentNamespace
	common.HubKubeconfigDir = h.folder.file("managed-"+name, "hub")
	common.HubQPS, common.HubBurst = clientQPS, clientBurst
	common.CommonOpts.QPS, common.CommonOpts.Burst = clientQPS, clientBurst
	register := registration.NewSpokeAgentOptions()
	register.BootstrapKubeconfig = bootstrap
	// How soon the hub hears of a change of the cluster; OCM's default is a minute.
	register.ClusterHealthCheckPeriod = 10 * time.Second
	workload := work.NewWorkloadAgentOptions()
	workload.WorkloadSourceConfig = h.folder.file("managed-"+name, "hub", "kubeconfig")
	workload.StatusSyncInterval = time.Second

	stop := func() { h.failed <- fmt.Errorf("the agents of %s want to be restarted", name) }
	agents := agent.NewAgentConfig(common, register, workload, stop)
	go func() {
		if err := agents.RunSpokeAgent(ctx, controllerContext(server.config)); err != nil {
			h.failed <- fmt.Errorf("agents of %s: %w", name, err)
		}
	}()
	return nil
}

// acceptCluster does what an administrator does on the hub for a cluster that asks to join, and waits for the result.
func acceptCluster(ctx context.Context, hub *apiServer, name string) error {
	client, err := clusterclient.NewForConfig(hub.config)
	if err != nil {
		return err
	}
	clusters := client.ClusterV1().ManagedClusters()
	accept := []byte(`{"spec":{"hubAcceptsClient":true}}`)
	state := "has not asked to join"
	err = wait.PollUntilContextTimeout(ctx, 200*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		cluster, err := clusters.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return false, nil
		}
		if !cluster.Spec.HubAcceptsClient {
			_, err := clusters.Patch(ctx, name, types.MergePatchType, accept, metav1.PatchOptions{})
			return false, err
		}
		joined := meta.IsStatusConditionTrue(cluster.Status.Conditions, clusterv1.ManagedClusterConditionJoined)
		available := meta.IsStatusConditionTrue(cluster.Status.Conditions, clusterv1.ManagedClusterConditionAvailable)
		state = fmt.Sprintf("joined: %t, available: %t", joined, available)
		return joined && available, nil
	})
	if err != nil {
		return fmt.Errorf("%w (%s)", err, state)
	}
	return nil
}
