package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sort"
	"strings"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"
	clusterclient "open-cluster-management.io/api/client/cluster/clientset/versioned"
	clusterinformers "open-cluster-management.io/api/client/cluster/informers/externalversions"
	clusterv1 "open-cluster-management.io/api/cluster/v1"
	clusterv1beta1 "open-cluster-management.io/api/cluster/v1beta1"
	"open-cluster-management.io/ocm/pkg/placement/controllers/metrics"
	"open-cluster-management.io/ocm/pkg/placement/controllers/scheduling"
	placementdebugger "open-cluster-management.io/ocm/pkg/placement/debugger"
	setsv1beta2 "open-cluster-management.io/sdk-go/pkg/apis/cluster/v1beta2"
)

// mostPlacementBytes is the size of a body that OCM's server reads.
const mostPlacementBytes = 1 << 20

// placementSimulation answers as the placement server of OCM 1.3: the scheduler of this release, for a Placement on the
// hub or in the body of a request. The module proxy has no OCM 1.3, whose server would be used otherwise.
type placementSimulation struct {
	scheduler scheduling.Scheduler
	client    kubernetes.Interface
	informers clusterinformers.SharedInformerFactory
}

// simulatedPlacement is an answer, with the fields of OCM 1.3.
type simulatedPlacement struct {
	Placement         *clusterv1beta1.Placement      `json:"placement,omitempty"`
	FilterResults     []scheduling.FilterResult      `json:"filteredPipelineResults,omitempty"`
	PrioritizeResults []scheduling.PrioritizerResult `json:"prioritizeResults,omitempty"`
	AggregatedScores  []clusterScore                 `json:"aggregatedScores,omitempty"`
	Error             string                         `json:"error,omitempty"`
}

type clusterScore struct {
	ClusterName string `json:"clusterName"`
	Score       int64  `json:"score"`
}

func newPlacementSimulation(ctx context.Context, config *rest.Config) (*placementSimulation, error) {
	clusters, err := clusterclient.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	informers := clusterinformers.NewSharedInformerFactory(clusters, 10*time.Minute)
	scheduler := scheduling.NewPluginScheduler(scheduling.NewSchedulerHandler(
		clusters,
		informers.Cluster().V1beta1().PlacementDecisions().Lister(),
		informers.Cluster().V1alpha1().AddOnPlacementScores().Lister(),
		informers.Cluster().V1().ManagedClusters().Lister(),
		nil, metrics.NewScheduleMetrics(clock.RealClock{}),
	))
	// A factory starts the informers that were asked for.
	informers.Cluster().V1beta1().Placements().Informer()
	informers.Cluster().V1beta2().ManagedClusterSets().Informer()
	informers.Cluster().V1beta2().ManagedClusterSetBindings().Informer()
	informers.Start(ctx.Done())
	informers.WaitForCacheSync(ctx.Done())
	return &placementSimulation{scheduler: scheduler, client: client, informers: informers}, nil
}

func (s *placementSimulation) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	result, err := s.answer(r)
	if err != nil {
		result = &simulatedPlacement{Error: err.Error()}
	}
	_ = json.NewEncoder(w).Encode(result)
}

func (s *placementSimulation) answer(r *http.Request) (*simulatedPlacement, error) {
	placement, err := s.placement(r)
	if err != nil {
		return nil, err
	}
	if err := s.authorize(r, placement.Namespace); err != nil {
		return nil, err
	}
	available, err := s.available(placement)
	if err != nil {
		return nil, err
	}
	result, _ := s.scheduler.Schedule(r.Context(), placement, available)
	answered := placement.DeepCopy()
	answered.ObjectMeta = metav1.ObjectMeta{
		Name: placement.Name, Namespace: placement.Namespace, Labels: placement.Labels, Annotations: placement.Annotations,
	}
	answered.Status = clusterv1beta1.PlacementStatus{}
	return &simulatedPlacement{
		Placement:         answered,
		FilterResults:     result.FilterResults(),
		PrioritizeResults: result.PrioritizerResults(),
		AggregatedScores:  sortedScores(result.PrioritizerScores()),
	}, nil
}

func (s *placementSimulation) placement(r *http.Request) (*clusterv1beta1.Placement, error) {
	if r.Method != http.MethodPost {
		namespace, name, err := cache.SplitMetaNamespaceKey(strings.TrimPrefix(r.URL.Path, placementdebugger.DebugPath))
		if err != nil {
			return nil, err
		}
		return s.informers.Cluster().V1beta1().Placements().Lister().Placements(namespace).Get(name)
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, mostPlacementBytes+1))
	if err != nil {
		return nil, err
	}
	if len(body) > mostPlacementBytes {
		return nil, fmt.Errorf("request body too large: exceeds maximum of %d bytes", mostPlacementBytes)
	}
	placement := &clusterv1beta1.Placement{}
	return placement, json.Unmarshal(body, placement)
}

// authorize requires the permission to create the Placement.
func (s *placementSimulation) authorize(r *http.Request, namespace string) error {
	user, known := request.UserFrom(r.Context())
	if !known {
		return errors.New("user information not found in request context")
	}
	extra := map[string]authorizationv1.ExtraValue{}
	for key, values := range user.GetExtra() {
		extra[key] = values
	}
	review, err := s.client.AuthorizationV1().SubjectAccessReviews().Create(r.Context(), &authorizationv1.SubjectAccessReview{
		Spec: authorizationv1.SubjectAccessReviewSpec{
			User: user.GetName(), Groups: user.GetGroups(), Extra: extra,
			ResourceAttributes: &authorizationv1.ResourceAttributes{
				Namespace: namespace, Verb: "create",
				Group: clusterv1beta1.GroupName, Version: "v1beta1", Resource: "placements",
			},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if !review.Status.Allowed {
		return fmt.Errorf("user does not have permission to create placements in namespace %s: %s", namespace, review.Status.Reason)
	}
	return nil
}

// available returns the clusters of the sets that the namespace is bound to and the Placement names.
func (s *placementSimulation) available(placement *clusterv1beta1.Placement) ([]*clusterv1.ManagedCluster, error) {
	bindings, err := s.informers.Cluster().V1beta2().ManagedClusterSetBindings().Lister().
		ManagedClusterSetBindings(placement.Namespace).List(labels.Everything())
	if err != nil {
		return nil, err
	}
	named := map[string]bool{}
	for _, name := range placement.Spec.ClusterSets {
		named[name] = true
	}
	byName := map[string]*clusterv1.ManagedCluster{}
	for _, binding := range bindings {
		if len(named) > 0 && !named[binding.Name] {
			continue
		}
		set, err := s.informers.Cluster().V1beta2().ManagedClusterSets().Lister().Get(binding.Name)
		if apierrors.IsNotFound(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		members, err := setsv1beta2.GetClustersFromClusterSet(set, s.informers.Cluster().V1().ManagedClusters().Lister())
		if err != nil {
			return nil, fmt.Errorf("failed to get clusters from ClusterSet %q: %w", set.Name, err)
		}
		for _, member := range members {
			if member.DeletionTimestamp.IsZero() {
				byName[member.Name] = member
			}
		}
	}
	clusters := make([]*clusterv1.ManagedCluster, 0, len(byName))
	for _, cluster := range byName {
		clusters = append(clusters, cluster)
	}
	return clusters, nil
}

func sortedScores(scores scheduling.PrioritizerScore) []clusterScore {
	sorted := make([]clusterScore, 0, len(scores))
	for name, score := range scores {
		sorted = append(sorted, clusterScore{ClusterName: name, Score: score})
	}
	sort.Slice(sorted, func(i, j int) bool {
		if sorted[i].Score == sorted[j].Score {
			return sorted[i].ClusterName < sorted[j].ClusterName
		}
		return sorted[i].Score > sorted[j].Score
	})
	return sorted
}
