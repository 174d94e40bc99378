package main

import (
	"context"
	"time"

	"k8s.io/client-go/rest"
	clusterclient "open-cluster-management.io/api/client/cluster/clientset/versioned"
	clusterinformers "open-cluster-management.io/api/client/cluster/informers/externalversions"
	workclient "open-cluster-management.io/api/client/work/clientset/versioned"
	workinformers "open-cluster-management.io/api/client/work/informers/externalversions"
	"open-cluster-management.io/ocm/pkg/work/hub/controllers/manifestworkreplicasetcontroller"
	workapplier "open-cluster-management.io/sdk-go/pkg/apis/work/v1/applier"
)

// startWorkReplicaSets runs OCM's controller of ManifestWorkReplicaSets, as its work manager does with the driver kube.
func startWorkReplicaSets(ctx context.Context, config *rest.Config) error {
	clusters, err := clusterclient.NewForConfig(config)
	if err != nil {
		return err
	}
	client, err := workclient.NewForConfig(config)
	if err != nil {
		return err
	}
	const resync = 30 * time.Minute
	ofClusters := clusterinformers.NewSharedInformerFactory(clusters, resync)
	ofWorks := workinformers.NewSharedInformerFactory(client, resync)
	works := ofWorks.Work().V1().ManifestWorks()
	controller := manifestworkreplicasetcontroller.NewManifestWorkReplicaSetController(
		client,
		workapplier.NewWorkApplierWithTypedClient(client, works.Lister()),
		ofWorks.Work().V1alpha1().ManifestWorkReplicaSets(),
		works,
		ofClusters.Cluster().V1beta1().Placements(),
		ofClusters.Cluster().V1beta1().PlacementDecisions(),
	)
	ofClusters.Start(ctx.Done())
	ofWorks.Start(ctx.Done())
	go controller.Run(ctx, 5)
	return nil
}
