// Delivers applications by Argo CD's pull model: an ApplicationSet on the hub makes an Application for each cluster that a
// Placement selects, the pull controller of argocd-pull-integration wraps each of them into a ManifestWork, and an Argo CD on
// the cluster itself does the rest. The hub holds no credentials of clusters.
//
// One Placement says for both where that is: for the Applications, and for the add-on that lets the work agent bring them.
// Argo CD and the controller are on the hub already, Argo CD on the clusters as well.
import {
  AddOnTemplate,
  ApiObject,
  App,
  Chart,
  ClusterManagementAddOn,
  ManagedClusterSet,
  ManagedClusterSetBinding,
  Placement,
  Toleration,
} from 'fleetwright';
import { ApiResource, ClusterRole, ConfigMap, Role, RoleBinding, ServiceAccount } from 'cdk8s-plus-27';

const app = new App();
// The ApplicationSet finds decisions in its own namespace alone.
const hub = new Chart(app, 'hub', { namespace: 'argocd' });

// --- Which clusters ---

new ManagedClusterSetBinding(hub, 'global', { clusterSet: ManagedClusterSet.global });
const shops = new Placement(hub, 'shops', {
  predicates: [{ labels: { purpose: 'shop' } }],
  // A shop that is cut off keeps what it has.
  tolerations: [Toleration.unreachable(), Toleration.unavailable()],
});

// --- What lets the work agent apply Applications there ---

const template = new AddOnTemplate(hub, 'template', {
  name: 'argocd-pull-1',
  addonName: 'argocd-pull',
  workload: (scope) => {
    // What is labelled so becomes a part of the work agent's own role.
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

// --- The applications ---

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
          // The Argo CD of the hub leaves the Application to that of the cluster.
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
        // Seen from the cluster, which is where the Application ends up.
        destination: { server: 'https://kubernetes.default.svc', namespace: 'till' },
        syncPolicy: { automated: { prune: true }, syncOptions: ['CreateNamespace=true'] },
      },
    },
  },
});

export default app;
