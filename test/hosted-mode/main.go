// Runs addon-framework's deploy controller for the tests of hosted mode: one request and one answer per line of JSON.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
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

// request is an add-on on a cluster, with what its agent renders.
type request struct {
	AddOn           *addonv1beta1.ManagedClusterAddOn `json:"addOn"`
	Clusters        []*clusterv1.ManagedCluster       `json:"clusters"`
	Manifests       []map[string]any                  `json:"manifests"`
	ManifestConfigs []workv1.ManifestConfigOption     `json:"manifestConfigs,omitempty"`
}

// answer is the state after the controller has nothing more to do.
type answer struct {
	Works      []workv1.ManifestWork `json:"works"`
	Finalizers []string              `json:"finalizers"`
	Conditions []metav1.Condition    `json:"conditions"`
	Error      string                `json:"error,omitempty"`
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

// deploy calls the controller until it changes nothing more.
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
	controller := agentdeploy.NewAddonDeployController(h.works, h.addOns, clusters, addOns, works,
		map[string]agent.AgentAddon{addOn.Name: &hostedAgent{asked}}, nil)
	syncContext := factory.NewSyncContext("test")
	for range 10 {
		before := *result
		if err := h.follow(ctx); err != nil {
			return err
		}
		failure := ""
		if err := controller.Sync(ctx, syncContext, addOn.Namespace+"/"+addOn.Name); err != nil {
			failure = err.Error()
		}
		if err := h.read(ctx, addOn, result); err != nil {
			return err
		}
		result.Error = failure
		if reflect.DeepEqual(before, *result) {
			return nil
		}
	}
	return fmt.Errorf("%s/%s does not come to rest", addOn.Namespace, addOn.Name)
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

func (h hub) read(ctx context.Context, addOn *addonv1beta1.ManagedClusterAddOn, result *answer) error {
	works, err := h.works.WorkV1().ManifestWorks("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	now, err := h.addOns.AddonV1beta1().ManagedClusterAddOns(addOn.Namespace).Get(ctx, addOn.Name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	result.Works, result.Finalizers, result.Conditions = works.Items, now.Finalizers, now.Status.Conditions
	return nil
}
