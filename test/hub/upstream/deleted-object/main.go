// Reproduces a fault of addon-framework 1.2.0 and 1.3.0, which OCM 1.2 and 1.3 contain. If an object was deleted while an informer did not
// watch, the informer passes on a DeletedFinalStateUnknown, which has no metadata. The filters of addon-framework's controllers read the
// metadata of everything that they get. docs/controller.md describes the consequences.
//
// It runs addon-framework's own controller of deployments with client-go's own informers. Only the API server is a fake: it lists one
// ManagedClusterAddOn, ends the watch with the error 410, and lists none.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
	clienttesting "k8s.io/client-go/testing"
	"open-cluster-management.io/addon-framework/pkg/addonmanager/controllers/agentdeploy"
	"open-cluster-management.io/addon-framework/pkg/agent"
	addonv1alpha1 "open-cluster-management.io/api/addon/v1alpha1"
	addonfake "open-cluster-management.io/api/client/addon/clientset/versioned/fake"
	addoninformers "open-cluster-management.io/api/client/addon/informers/externalversions"
	clusterfake "open-cluster-management.io/api/client/cluster/clientset/versioned/fake"
	clusterinformers "open-cluster-management.io/api/client/cluster/informers/externalversions"
	workfake "open-cluster-management.io/api/client/work/clientset/versioned/fake"
	workinformers "open-cluster-management.io/api/client/work/informers/externalversions"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	// Otherwise the process ends, as the manager does.
	utilruntime.ReallyCrash = false
	panics := make(chan any, 16)
	utilruntime.PanicHandlers = []func(context.Context, any){func(_ context.Context, fault any) { panics <- fault }}

	addOns := addonfake.NewSimpleClientset()
	lists := 0
	addOns.PrependReactor("list", "managedclusteraddons", func(clienttesting.Action) (bool, runtime.Object, error) {
		lists++
		list := &addonv1alpha1.ManagedClusterAddOnList{ListMeta: metav1.ListMeta{ResourceVersion: fmt.Sprint(lists)}}
		if lists == 1 {
			meta := metav1.ObjectMeta{Name: "hello", Namespace: "cluster1", ResourceVersion: "1", UID: "1"}
			list.Items = []addonv1alpha1.ManagedClusterAddOn{{ObjectMeta: meta}}
		}
		return true, list, nil
	})
	addOns.PrependWatchReactor("managedclusteraddons", func(clienttesting.Action) (bool, watch.Interface, error) {
		if lists > 1 {
			return true, watch.NewFake(), nil
		}
		expired := apierrors.NewResourceExpired("too old resource version").Status()
		events := watch.NewFakeWithChanSize(1, false)
		events.Error(&expired)
		return true, events, nil
	})

	addOnInformers := addoninformers.NewSharedInformerFactory(addOns, 0)
	clusterInformers := clusterinformers.NewSharedInformerFactory(clusterfake.NewSimpleClientset(), 0)
	works := workfake.NewSimpleClientset()
	workInformers := workinformers.NewSharedInformerFactory(works, 0)
	agentdeploy.NewAddonDeployController(
		works,
		addOns,
		clusterInformers.Cluster().V1().ManagedClusters(),
		addOnInformers.Addon().V1alpha1().ManagedClusterAddOns(),
		workInformers.Work().V1().ManifestWorks(),
		map[string]agent.AgentAddon{},
		nil,
	)
	addOnInformers.Start(ctx.Done())
	select {
	case fault := <-panics:
		fmt.Printf("after %d lists: %v\n", lists, fault)
	case <-ctx.Done():
		fmt.Printf("no panic after %d lists\n", lists)
		os.Exit(1)
	}
}
