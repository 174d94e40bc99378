// Runs addon-framework's deploy controller for the tests of hosted mode: one request and one answer per line of JSON.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"open-cluster-management.io/addon-framework/pkg/addonmanager/constants"
	"open-cluster-management.io/addon-framework/pkg/addonmanager/controllers/agentdeploy"
	"open-cluster-management.io/addon-framework/pkg/agent"
	"open-cluster-management.io/addon-framework/pkg/index"
	addonv1beta1 "open-cluster-management.io/api/addon/v1beta1"
	fakeaddon "open-cluster-management.io/api/client/addon/clientset/versioned/fake"
	addoninformers "open-cluster-management.io/api/client/addon/informers/externalversions"
	fakecluster "open-cluster-management.io/api/client/cluster/clientset/versioned/fake"
	clusterinformers "open-cluster-management.io/api/client/cluster/informers/externalversions"
	fakework "open-cluster-management.io/api/client/work/clientset/versioned/fake"
	workinformers "open-cluster-management.io/api/client/work/informers/externalversions"
	clusterv1 "open-cluster-management.io/api/cluster/v1"
	workv1 "open-cluster-management.io/api/work/v1"
	"open-cluster-management.io/sdk-go/pkg/basecontroller/factory"
)

var managedClusterAddOns = schema.GroupVersionResource{
	Group: addonv1beta1.GroupName, Version: "v1beta1", Resource: "managedclusteraddons",
}

// request is an add-on on a cluster, with what its agent renders.
type request struct {
	// Deletion deletes the add-on after it was deployed.
	Deletion *deletion `json:"deletion,omitempty"`

	AddOn           *addonv1beta1.ManagedClusterAddOn `json:"addOn"`
	Clusters        []*clusterv1.ManagedCluster       `json:"clusters"`
	Manifests       []map[string]any                  `json:"manifests"`
	ManifestConfigs []workv1.ManifestConfigOption     `json:"manifestConfigs,omitempty"`
}

// deletion has the works of hooks that their clusters report as complete, as namespace/name.
type deletion struct {
	Complete []string `json:"complete"`
}

// answer is the state after the controller has nothing more to do.
type answer struct {
	state
	// Deleting is the state after the deletion, and Reported that after the reports about hooks.
	Deleting *state `json:"deleting,omitempty"`
	Reported *state `json:"reported,omitempty"`
}

// state is what the hub has. Without finalizers a deleted add-on is gone, and so is what it owns.
type state struct {
	Works      []workv1.ManifestWork `json:"works"`
	Finalizers []string              `json:"finalizers"`
	Conditions []metav1.Condition    `json:"conditions"`
	Error      string                `json:"error,omitempty"`
	IsGone     bool                  `json:"isGone,omitempty"`
}

// hostedAgent renders the manifests of a request, as OCM's template agent with hosted mode would.
type hostedAgent struct {
	asked request
}

func (a *hostedAgent) Manifests(
	context.Context, *clusterv1.ManagedCluster, *addonv1beta1.ManagedClusterAddOn,
) ([]runtime.Object, error) {
	objects := make([]runtime.Object, 0, len(a.asked.Manifests))
	for _, manifest := range a.asked.Manifests {
		objects = append(objects, &unstructured.Unstructured{Object: runtime.DeepCopyJSON(manifest)})
	}
	return objects, nil
}

func (a *hostedAgent) GetAgentAddonOptions() agent.AgentAddonOptions {
	return agent.AgentAddonOptions{
		AddonName:          a.asked.AddOn.Name,
		HostedModeEnabled:  true,
		HostedModeInfoFunc: constants.GetHostedModeInfo,
		ConfigCheckEnabled: true,
		HealthProber:       &agent.HealthProber{Type: agent.HealthProberTypeWorkloadAvailability},
		ManifestConfigs:    a.asked.ManifestConfigs,
	}
}

func main() {
	reader := bufio.NewScanner(os.Stdin)
	reader.Buffer(nil, 1<<26)
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	for reader.Scan() {
		var asked request
		result := answer{}
		err := json.Unmarshal(reader.Bytes(), &asked)
		if err == nil {
			err = deploy(asked, &result)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if err := encoder.Encode(result); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// hub has the clients and caches of the controller. The caches have exactly what the API has.
type hub struct {
	works      *fakework.Clientset
	addOns     *fakeaddon.Clientset
	workStore  cache.Indexer
	addOnStore cache.Indexer
}

// deploy deploys an add-on, and deletes it if that is asked.
func deploy(asked request, result *answer) error {
	ctx := context.Background()
	addOn := asked.AddOn
	h := hub{works: fakework.NewSimpleClientset(), addOns: fakeaddon.NewSimpleClientset(addOn)}
	workFactory := workinformers.NewSharedInformerFactory(h.works, 10*time.Minute)
	addOnFactory := addoninformers.NewSharedInformerFactory(h.addOns, 10*time.Minute)
	clusterFactory := clusterinformers.NewSharedInformerFactory(fakecluster.NewSimpleClientset(), 10*time.Minute)
	works := workFactory.Work().V1().ManifestWorks()
	addOns := addOnFactory.Addon().V1beta1().ManagedClusterAddOns()
	clusters := clusterFactory.Cluster().V1().ManagedClusters()
	if err := works.Informer().AddIndexers(cache.Indexers{
		index.ManifestWorkByAddon:           index.IndexManifestWorkByAddon,
		index.ManifestWorkByHostedAddon:     index.IndexManifestWorkByHostedAddon,
		index.ManifestWorkHookByHostedAddon: index.IndexManifestWorkHookByHostedAddon,
	}); err != nil {
		return err
	}
	for _, cluster := range asked.Clusters {
		if err := clusters.Informer().GetStore().Add(cluster); err != nil {
			return err
		}
	}
	h.workStore, h.addOnStore = works.Informer().GetIndexer(), addOns.Informer().GetIndexer()
	h.addOns.PrependReactor("update", "managedclusteraddons", h.admit)
	controller := agentdeploy.NewAddonDeployController(h.works, h.addOns, clusters, addOns, works,
		map[string]agent.AgentAddon{addOn.Name: &hostedAgent{asked}}, nil)
	settle := func(to *state) error { return h.settle(ctx, controller, addOn, to) }
	if err := settle(&result.state); err != nil || asked.Deletion == nil {
		return err
	}
	if err := h.markDeleted(ctx, addOn); err != nil {
		return err
	}
	result.Deleting = &state{}
	if err := settle(result.Deleting); err != nil {
		return err
	}
	if err := h.report(ctx, asked.Deletion.Complete); err != nil {
		return err
	}
	result.Reported = &state{}
	return settle(result.Reported)
}

// settle calls the controller until it changes nothing more.
func (h hub) settle(
	ctx context.Context, controller factory.Controller, addOn *addonv1beta1.ManagedClusterAddOn, to *state,
) error {
	syncContext := factory.NewSyncContext("test")
	for range 10 {
		before := *to
		if err := h.follow(ctx); err != nil {
			return err
		}
		failure := ""
		if err := controller.Sync(ctx, syncContext, addOn.Namespace+"/"+addOn.Name); err != nil {
			failure = err.Error()
		}
		if err := h.read(ctx, addOn, to); err != nil {
			return err
		}
		to.Error = failure
		if reflect.DeepEqual(before, *to) {
			return nil
		}
	}
	return fmt.Errorf("%s/%s does not come to rest", addOn.Namespace, addOn.Name)
}

// admit answers an update as the API server does: the status has its own requests, and an object that is being deleted gets no
// finalizers.
func (h hub) admit(action clienttesting.Action) (bool, runtime.Object, error) {
	update, isUpdate := action.(clienttesting.UpdateAction)
	if !isUpdate || action.GetSubresource() != "" {
		return false, nil, nil
	}
	after := update.GetObject().(*addonv1beta1.ManagedClusterAddOn)
	stored, err := h.addOns.Tracker().Get(action.GetResource(), after.Namespace, after.Name)
	if err != nil {
		return true, nil, err
	}
	before := stored.(*addonv1beta1.ManagedClusterAddOn)
	after.Status = before.Status
	for _, finalizer := range after.Finalizers {
		if before.DeletionTimestamp != nil && !slices.Contains(before.Finalizers, finalizer) {
			return true, nil, fmt.Errorf("no new finalizers can be added if the object is being deleted: %s", finalizer)
		}
	}
	return false, nil, nil
}

func (h hub) markDeleted(ctx context.Context, addOn *addonv1beta1.ManagedClusterAddOn) error {
	client := h.addOns.AddonV1beta1().ManagedClusterAddOns(addOn.Namespace)
	stored, err := client.Get(ctx, addOn.Name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	deleted := metav1.NewTime(time.Unix(1769860800, 0))
	stored.DeletionTimestamp = &deleted
	return h.addOns.Tracker().Update(managedClusterAddOns, stored, stored.Namespace)
}

// report completes the hooks of works, as the work agents of their clusters report it.
func (h hub) report(ctx context.Context, complete []string) error {
	works, err := h.works.WorkV1().ManifestWorks("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for i := range works.Items {
		work := &works.Items[i]
		if !slices.Contains(complete, work.Namespace+"/"+work.Name) {
			continue
		}
		work.Status.Conditions = []metav1.Condition{{Type: workv1.WorkAvailable, Status: metav1.ConditionTrue}}
		for _, config := range work.Spec.ManifestConfigs {
			hook := config.ResourceIdentifier
			name, value := "JobComplete", "True"
			if hook.Resource == "pods" {
				name, value = "PodPhase", "Succeeded"
			}
			work.Status.ResourceStatus.Manifests = append(work.Status.ResourceStatus.Manifests, workv1.ManifestCondition{
				ResourceMeta: workv1.ManifestResourceMeta{
					Group: hook.Group, Resource: hook.Resource, Name: hook.Name, Namespace: hook.Namespace,
				},
				StatusFeedbacks: workv1.StatusFeedbackResult{Values: []workv1.FeedbackValue{
					{Name: name, Value: workv1.FieldValue{Type: workv1.String, String: &value}},
				}},
			})
		}
		if _, err := h.works.WorkV1().ManifestWorks(work.Namespace).UpdateStatus(ctx, work, metav1.UpdateOptions{}); err != nil {
			return err
		}
	}
	return nil
}

// collect removes an add-on that no finalizer keeps any more, and the works that it owns.
func (h hub) collect(ctx context.Context, addOn *addonv1beta1.ManagedClusterAddOn) error {
	if err := h.addOns.AddonV1beta1().ManagedClusterAddOns(addOn.Namespace).Delete(ctx, addOn.Name, metav1.DeleteOptions{}); err != nil {
		return err
	}
	works, err := h.works.WorkV1().ManifestWorks(addOn.Namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, work := range works.Items {
		if len(work.OwnerReferences) == 0 {
			continue
		}
		if err := h.works.WorkV1().ManifestWorks(work.Namespace).Delete(ctx, work.Name, metav1.DeleteOptions{}); err != nil {
			return err
		}
	}
	return nil
}

// follow fills the caches with what the API has.
func (h hub) follow(ctx context.Context) error {
	works, err := h.works.WorkV1().ManifestWorks("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	cached := make([]any, 0, len(works.Items))
	for i := range works.Items {
		cached = append(cached, &works.Items[i])
	}
	if err := h.workStore.Replace(cached, ""); err != nil {
		return err
	}
	addOns, err := h.addOns.AddonV1beta1().ManagedClusterAddOns("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	cached = nil
	for i := range addOns.Items {
		cached = append(cached, &addOns.Items[i])
	}
	return h.addOnStore.Replace(cached, "")
}

func (h hub) read(ctx context.Context, addOn *addonv1beta1.ManagedClusterAddOn, to *state) error {
	now, err := h.addOns.AddonV1beta1().ManagedClusterAddOns(addOn.Namespace).Get(ctx, addOn.Name, metav1.GetOptions{})
	if errors.IsNotFound(err) {
		now = &addonv1beta1.ManagedClusterAddOn{}
		to.IsGone = true
	} else if err != nil {
		return err
	} else if now.DeletionTimestamp != nil && len(now.Finalizers) == 0 {
		if err := h.collect(ctx, addOn); err != nil {
			return err
		}
	}
	works, err := h.works.WorkV1().ManifestWorks("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	to.Works, to.Finalizers, to.Conditions = works.Items, now.Finalizers, now.Status.Conditions
	return nil
}
