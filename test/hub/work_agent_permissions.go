package main

import (
	"context"
	"fmt"
	"time"

	"github.com/openshift/library-go/pkg/assets"
	"github.com/openshift/library-go/pkg/controller/controllercmd"
	"github.com/openshift/library-go/pkg/operator/events"
	"github.com/openshift/library-go/pkg/operator/resource/resourceapply"
	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"
	"open-cluster-management.io/ocm/manifests"
	commonoptions "open-cluster-management.io/ocm/pkg/common/options"
	registration "open-cluster-management.io/ocm/pkg/registration/spoke"
	work "open-cluster-management.io/ocm/pkg/work/spoke"
)

const (
	// klusterlet is the name of the Klusterlet in the names of its ClusterRoles.
	klusterlet = "klusterlet"
	// workServiceAccount is the ServiceAccount of OCM's work agent.
	workServiceAccount = "klusterlet-work-sa"
	// aggregateToWork is the label of the ClusterRoles that the work agent has, too.
	aggregateToWork = "open-cluster-management.io/aggregate-to-work"
)

// workAgentManifests are the templates from which OCM's operator writes the permissions of the work agent.
var workAgentManifests = []string{
	"klusterlet/managed/klusterlet-work-clusterrole.yaml",
	"klusterlet/managed/klusterlet-work-clusterrolebinding.yaml",
	"klusterlet/managed/klusterlet-work-clusterrole-execution.yaml",
	"klusterlet/managed/klusterlet-work-clusterrolebinding-execution-admin.yaml",
	"klusterlet/managed/klusterlet-work-clusterrolebinding-aggregate.yaml",
	"klusterlet/management/klusterlet-work-role.yaml",
	"klusterlet/management/klusterlet-work-rolebinding.yaml",
}

// workAgentConfig is what these templates read.
type workAgentConfig struct {
	KlusterletName, KlusterletNamespace, AgentNamespace, WorkServiceAccount string
	Labels                                                                  map[string]string
}

// permitWorkAgent grants the work agent of a managed cluster what OCM's operator grants it, and returns a config with the
// user of its ServiceAccount, once the API server allows the agent to work.
func permitWorkAgent(ctx context.Context, server *apiServer) (*rest.Config, error) {
	client, err := kubernetes.NewForConfig(server.config)
	if err != nil {
		return nil, err
	}
	values := workAgentConfig{klusterlet, agentNamespace, agentNamespace, workServiceAccount, nil}
	render := func(name string) ([]byte, error) {
		template, err := manifests.KlusterletManifestFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		return assets.MustCreateAssetFromTemplate(name, template, values).Data, nil
	}
	recorder := events.NewInMemoryRecorder("hub", clock.RealClock{})
	clients := resourceapply.NewKubeClientHolder(client)
	for _, result := range resourceapply.ApplyDirectly(ctx, clients, recorder, resourceapply.NewResourceCache(), render, workAgentManifests...) {
		if result.Error != nil {
			return nil, fmt.Errorf("%s: %w", result.File, result.Error)
		}
	}
	// The operator creates it in its code, too, as createAggregationRule.
	aggregate := &rbacv1.ClusterRole{
		ObjectMeta: metav1.ObjectMeta{Name: "open-cluster-management:" + klusterlet + "-work:aggregate"},
		AggregationRule: &rbacv1.AggregationRule{
			ClusterRoleSelectors: []metav1.LabelSelector{{MatchLabels: map[string]string{aggregateToWork: "true"}}},
		},
	}
	if _, err := client.RbacV1().ClusterRoles().Create(ctx, aggregate, metav1.CreateOptions{}); err != nil {
		return nil, err
	}
	user := "system:serviceaccount:" + agentNamespace + ":" + workServiceAccount
	groups := []string{"system:serviceaccounts", "system:serviceaccounts:" + agentNamespace}
	certificate, err := server.authority.client(user, groups...)
	if err != nil {
		return nil, err
	}
	config := restConfig(server.url, server.authority.certPEM, certificate)
	return config, waitForPermissions(ctx, config)
}

// waitForPermissions returns when the rules of all aggregated ClusterRoles have reached the authorizer.
func waitForPermissions(ctx context.Context, config *rest.Config) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	requests := []authorizationv1.ResourceAttributes{
		{Verb: "update", Group: "work.open-cluster-management.io", Resource: "appliedmanifestworks"},
		{Verb: "create", Group: "apps", Resource: "deployments"},
		{Verb: "create", Group: "apiextensions.k8s.io", Resource: "customresourcedefinitions"},
	}
	err = wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		for _, request := range requests {
			review := &authorizationv1.SelfSubjectAccessReview{
				Spec: authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: &request},
			}
			answer, err := client.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
			if err != nil || !answer.Status.Allowed {
				return false, err
			}
		}
		return true, nil
	})
	if err != nil {
		return fmt.Errorf("the work agent does not get its permissions: %w", err)
	}
	return nil
}

// separateAgents are OCM's agents as two processes with a user each, instead of one.
type separateAgents struct {
	registration *registration.SpokeAgentConfig
	work         *work.WorkAgentConfig
	// The access of the work agent to the managed cluster.
	workConfig *rest.Config
}

func newSeparateAgents(common *commonoptions.AgentOptions, register *registration.SpokeAgentOptions, workload *work.WorkloadAgentOptions, workConfig *rest.Config, stop context.CancelFunc) *separateAgents {
	return &separateAgents{
		registration: registration.NewSpokeAgentConfig(common, register, stop),
		work:         work.NewWorkAgentConfig(common, workload),
		workConfig:   workConfig,
	}
}

// run starts the work agent when the cluster has joined, as AgentConfig.RunSpokeAgent of OCM.
func (a *separateAgents) run(ctx context.Context, context *controllercmd.ControllerContext) error {
	ended := make(chan error, 2)
	go func() { ended <- a.registration.RunSpokeAgent(ctx, context) }()
	go func() {
		if err := wait.PollUntilContextCancel(ctx, time.Second, true, a.registration.IsHubKubeConfigValid); err != nil {
			if ctx.Err() == nil {
				ended <- err
			}
			return
		}
		ended <- a.work.RunWorkloadAgent(ctx, controllerContext(a.workConfig))
	}()
	select {
	case err := <-ended:
		if ctx.Err() != nil {
			return nil
		}
		return err
	case <-ctx.Done():
		return nil
	}
}
