package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
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

// clusterLease is the name of the Lease on the hub that the agents of a cluster renew, in the namespace of the cluster.
const clusterLease = "managed-cluster-lease"

// managedClusterKinds are OCM's kinds that a managed cluster serves.
var managedClusterKinds = map[string]bool{
	"AppliedManifestWork": true,
	"ClusterClaim":        true,
}

// managedCluster is a cluster that has joined the hub.
type managedCluster struct {
	name   string
	server *apiServer
	// The access of the work agent, if it does not have all permissions.
	workConfig *rest.Config
	// Ends OCM's agents.
	stopAgents context.CancelFunc
}

// joinManagedClusters starts the clusters at the same time, and returns once all of them have joined.
func (h *hub) joinManagedClusters(ctx context.Context, names []string) ([]*managedClusterAnnouncement, error) {
	if err := allowBootstrap(ctx, h.server.config); err != nil {
		return nil, err
	}
	if err := addFeatureGates(); err != nil {
		return nil, err
	}
	joined, failed := make([]*managedClusterAnnouncement, len(names)), make([]error, len(names))
	var all sync.WaitGroup
	for i, name := range names {
		cluster := &managedCluster{name: name}
		if i == 0 {
			h.managed = cluster
		}
		all.Go(func() {
			var err error
			if joined[i], err = h.joinManagedCluster(ctx, cluster); err != nil {
				failed[i] = fmt.Errorf("managed cluster %s: %w", name, err)
			}
		})
	}
	all.Wait()
	return joined, errors.Join(failed...)
}

// joinManagedCluster starts another API server with OCM's registration and work agents, and returns once the hub
// calls that cluster joined and available. Nothing runs the workloads there: a Deployment that a work brings is
// stored and never becomes available, unless a test writes its status.
func (h *hub) joinManagedCluster(ctx context.Context, cluster *managedCluster) (*managedClusterAnnouncement, error) {
	name := cluster.name
	server, err := startAPIServer(ctx, h.folder, "managed-"+name, h.etcdURL, apiServerExtras{}, h.failed)
	if err != nil {
		return nil, err
	}
	cluster.server = server
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
	if err := startKubeControllers(ctx, h.folder, server, h.periods.certificateDuration, h.failed); err != nil {
		return nil, err
	}
	if err := createNamespace(ctx, server.config, agentNamespace); err != nil {
		return nil, err
	}
	if h.workAgentPermissions {
		if cluster.workConfig, err = permitWorkAgent(ctx, server); err != nil {
			return nil, err
		}
	}
	if err := h.startAgents(ctx, cluster); err != nil {
		return nil, err
	}
	if err := acceptCluster(ctx, h.server, name); err != nil {
		return nil, err
	}
	return &managedClusterAnnouncement{Name: name, Kubeconfig: server.kubeconfigFile}, nil
}

// stop ends everything that the hub can see: the agents and the API server. Its
// kube-controller-manager stays, without a server.
func (c *managedCluster) stop() {
	c.stopAgents()
	c.server.kill()
}

// startManagedCluster runs what was stopped once more, and returns once its agents renew the Lease of the cluster: agents
// that are ended before they work end the whole process.
func (h *hub) startManagedCluster(ctx context.Context) error {
	started := time.Now()
	if err := h.managed.server.startAgain(ctx, h.failed); err != nil {
		return err
	}
	if err := h.startAgents(ctx, h.managed); err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(h.server.config)
	if err != nil {
		return err
	}
	leases := client.CoordinationV1().Leases(h.managed.name)
	err = wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		lease, err := leases.Get(ctx, clusterLease, metav1.GetOptions{})
		return err == nil && lease.Spec.RenewTime.After(started), nil
	})
	if err != nil {
		return fmt.Errorf("the agents of %s do not renew its Lease: %w", h.managed.name, err)
	}
	return nil
}

// addFeatureGates sets the defaults of the features of OCM's agents, which can be done once.
func addFeatureGates() error {
	gates := maps.Clone(ocmfeature.DefaultSpokeRegistrationFeatureGates)
	maps.Copy(gates, ocmfeature.DefaultSpokeWorkFeatureGates)
	return features.SpokeMutableFeatureGate.Add(gates)
}

// startAgents runs OCM's registration and work agents in this process, until the managed cluster is stopped.
func (h *hub) startAgents(ctx context.Context, cluster *managedCluster) error {
	name, server := cluster.name, cluster.server
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
	register.RegisterDriverOption.AddonKubeClientRegistrationAuth = h.addOnRegistration
	workload := work.NewWorkloadAgentOptions()
	workload.WorkloadSourceConfig = h.folder.file("managed-"+name, "hub", "kubeconfig")
	h.periods.setReports(register, workload)

	stop := func() { h.failed <- fmt.Errorf("the agents of %s want to be restarted", name) }
	run := agent.NewAgentConfig(common, register, workload, stop).RunSpokeAgent
	if cluster.workConfig != nil {
		run = newSeparateAgents(common, register, workload, cluster.workConfig, stop).run
	}
	ctx, cluster.stopAgents = context.WithCancel(ctx)
	go func() {
		if err := run(ctx, controllerContext(server.config)); err != nil {
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
