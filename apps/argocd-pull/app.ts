// Delivers applications by Argo CD's pull model. An ApplicationSet on the hub creates one Application per cluster that a
// Placement selects. The pull controller of argocd-pull-integration wraps each Application into a ManifestWork. Argo CD on the
// cluster itself does the rest, so the hub has no credentials of clusters.
//
// One Placement selects the clusters for both: the Applications, and the add-on that permits the work agent to create them.
// Argo CD and the controller already run on the hub, and Argo CD already runs on the clusters.
import {
  AddOnTemplate,
  ApiObject,
  App,
  Chart,
  ClusterManagementAddOn,
  ManagedClusterSet,
  ManagedClusterSetBinding,
  Placement,
  Selector,
  Toleration,
} from 'fleetwright';
import { ApiResource, ClusterRole, ConfigMap, Role, RoleBinding, ServiceAccount } from 'cdk8s-plus-27';

const app = new App();
// The ApplicationSet reads decisions in its own namespace only.
const hub = new Chart(app, 'hub', { namespace: 'argocd' });

// --- Clusters ---

new ManagedClusterSetBinding(hub, 'global', { clusterSet: ManagedClusterSet.global });
const shops = new Placement(hub, 'shops', {
  predicates: [{ labels: Selector.exists('shop') }],
  // An unreachable shop keeps its applications.
  tolerations: [Toleration.unreachable(), Toleration.unavailable()],
});

// --- Permission for the work agent to apply Applications ---

const template = new AddOnTemplate(hub, 'template', {
  name: 'argocd-pull-1',
  addonName: 'argocd-pull',
  workload: (scope) => {
    // With this label, the role is aggregated to the work agent's own role.
    new ClusterRole(scope, 'klusterlet-work-argocd', {
      metadata: { labels: { 'open-cluster-management.io/aggregate-to-work': 'true' } },
      rules: [
        {
          verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
          endpoints: [ApiResource.custom({ apiGroup: 'argoproj.io', resourceType: 'applications' })],
        },
      ],
    });
  },
});
new ClusterManagementAddOn(hub, 'argocd-pull', {
  displayName: 'Argo CD pull model',
  description: 'Lets the hub bring Applications to the cluster',
  defaultConfigs: [template],
  placements: [{ placement: shops }],
});

// --- Applications ---

/** How the generator reads the decisions of Placements. */
const generator = new ConfigMap(hub, 'generator', {
  metadata: { name: 'ocm-placement-generator' },
  data: {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'placementdecisions',
    statusListKey: 'decisions',
    matchKey: 'clusterName',
  },
});
const consumer = new Role(hub, 'consumer', { metadata: { name: 'ocm-placement-consumer' } });
consumer.allow(
  ['get', 'list'],
  ApiResource.custom({ apiGroup: 'cluster.open-cluster-management.io', resourceType: 'placementdecisions' }),
);
new RoleBinding(hub, 'argocd-is-consumer', {
  metadata: { name: 'ocm-placement-consumer' },
  role: consumer,
}).addSubjects(
  ServiceAccount.fromServiceAccountName(hub, 'controller', 'argocd-applicationset-controller', {
    namespaceName: 'argocd',
  }),
);

new ApiObject(hub, 'till', {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'ApplicationSet',
  metadata: { name: 'till' },
  spec: {
    generators: [
      {
        clusterDecisionResource: {
          configMapRef: generator.name,
          labelSelector: {
            matchLabels: {
              'cluster.open-cluster-management.io/placement': shops.placementReference.name,
            },
          },
          requeueAfterSeconds: 30,
        },
      },
    ],
    template: {
      metadata: {
        name: '{{name}}-till',
        labels: { 'argocd.argoproj.io/pull-to-ocm-managed-cluster': 'true' },
        annotations: {
          'argocd.argoproj.io/ocm-managed-cluster': '{{name}}',
          // The hub's Argo CD ignores the Application; the cluster's Argo CD reconciles it.
          'argocd.argoproj.io/skip-reconcile': 'true',
        },
      },
      spec: {
        project: 'default',
        source: {
          repoURL: 'https://git.example.com/shops/till.git',
          targetRevision: 'main',
          path: 'deploy',
        },
        // From the cluster's point of view, where the Application is delivered.
        destination: { server: 'https://kubernetes.default.svc', namespace: 'till' },
        syncPolicy: { automated: { prune: true }, syncOptions: ['CreateNamespace=true'] },
      },
    },
  },
});

export default app;
