import { emit } from '../../../src/compiler/emit/emit.ts';
import { kustomizationFile } from '../../../src/compiler/emit/kustomization.ts';
import { forHub, type TargetHub } from '../../../src/compiler/admit/conversion/for-hub.ts';
import { load } from '../../../src/compiler/load/load.ts';
import { resolve } from '../../../src/compiler/resolve.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { parseObjects } from '../record/scenario.ts';
import type { Emitted } from './emitted.ts';

const addOnApi = 'addon.open-cluster-management.io';
const clusterApi = 'cluster.open-cluster-management.io';

const config = (name: string): string =>
  `{ group: ${addOnApi}, resource: addondeploymentconfigs, name: ${name}, namespace: every }`;

const addOn = (name: string, override: string): string => `---
apiVersion: ${addOnApi}/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: ${name}, annotations: { fleetwright.dev/override: ${override} } }
spec:
  supportedConfigs:
  - { group: ${addOnApi}, resource: addontemplates, defaultConfig: { name: every } }
  - { group: ${addOnApi}, resource: addondeploymentconfigs, defaultConfig: { name: usual, namespace: every } }
  installStrategy: { type: Placements, placements: [{ name: every, namespace: every }] }
---
apiVersion: ${addOnApi}/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: ${name}, namespace: every-c1 }
spec: { configs: [${config('own')}] }
`;

/** What apps may have beside what those of apps/ have: each way of an override, the cluster and the hub themselves, works. */
const app = `apiVersion: v1
kind: Namespace
metadata: { name: every }
---
apiVersion: operator.open-cluster-management.io/v1
kind: ClusterManager
metadata: { name: cluster-manager }
spec:
  registrationImagePullSpec: quay.io/open-cluster-management/registration:v1.3.1
  addOnManagerConfiguration: { featureGates: [{ feature: AddonManagement, mode: Enable }] }
---
apiVersion: operator.open-cluster-management.io/v1
kind: Klusterlet
metadata: { name: klusterlet }
spec: { clusterName: every-c1, deployOption: { mode: Singleton } }
---
apiVersion: ${clusterApi}/v1
kind: ManagedCluster
metadata: { name: every-c1, labels: { test: every, ${clusterApi}/clusterset: every } }
spec: { hubAcceptsClient: true, leaseDurationSeconds: 3600 }
---
apiVersion: ${clusterApi}/v1
kind: ManagedCluster
metadata: { name: every-c2, labels: { test: every, ${clusterApi}/clusterset: every } }
spec: { hubAcceptsClient: true, leaseDurationSeconds: 3600 }
---
apiVersion: ${clusterApi}/v1beta2
kind: ManagedClusterSet
metadata: { name: every }
spec: { clusterSelector: { selectorType: ExclusiveClusterSetLabel } }
---
apiVersion: ${clusterApi}/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: every, namespace: every }
spec: { clusterSet: every }
---
apiVersion: ${clusterApi}/v1beta1
kind: Placement
metadata: { name: every, namespace: every }
spec:
  clusterSets: [every]
  tolerations: [{ operator: Exists }]
  decisionStrategy: { groupStrategy: { clustersPerDecisionGroup: 1 } }
${['usual', 'own']
  .map(
    (name) => `---
apiVersion: ${addOnApi}/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: ${name}, namespace: every }
spec:
  agentInstallNamespace: ""
  customizedVariables: [{ name: FROM, value: ${name} }]
  nodePlacement: { tolerations: [{ operator: Exists }] }
`,
  )
  .join('')}---
apiVersion: ${addOnApi}/v1alpha1
kind: AddOnTemplate
metadata: { name: every }
spec:
  addonName: every-object
  agentSpec:
    workload:
      manifests:
      - apiVersion: apps/v1
        kind: Deployment
        metadata: { name: agent, namespace: default }
        spec:
          selector: { matchLabels: { app: agent } }
          template: { metadata: { labels: { app: agent } }, spec: { containers: [{ name: agent, image: "example.com/agent:1" }] } }
  registration: [{ type: KubeClient, kubeClient: { hubPermissions: [{ type: CurrentCluster, currentCluster: { clusterRoleName: view } }] } }]
${addOn('every-object', 'object')}${addOn('every-placement', 'placement')}${addOn('every-inventory', 'inventory')}---
apiVersion: ${addOnApi}/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: every-hosted }
spec: { supportedConfigs: [{ group: ${addOnApi}, resource: addontemplates, defaultConfig: { name: every } }] }
---
apiVersion: ${addOnApi}/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: every-hosted, namespace: every-c2, annotations: { ${addOnApi}/hosting-cluster-name: every-c1 } }
spec: { installNamespace: hosted }
---
apiVersion: work.open-cluster-management.io/v1
kind: ManifestWork
metadata: { name: every, namespace: every-c1 }
spec: { workload: { manifests: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, namespace: default }, data: { a: b } }] } }
---
apiVersion: work.open-cluster-management.io/v1alpha1
kind: ManifestWorkReplicaSet
metadata: { name: every, namespace: every }
spec:
  placementRefs: [{ name: every, rolloutStrategy: { type: Progressive, progressive: { maxConcurrency: 1 } } }]
  manifestWorkTemplate:
    workload: { manifests: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: b, namespace: default }, data: { a: b } }] }
`;

/** What `synth` emits of such an app. */
export function everyKind(target: TargetHub): Emitted {
  const { value: objects } = load([{ file: 'app.yaml', text: app, source: 'app' }]);
  const { value, diagnostics } = resolve(objects, { hub: target.hub, now: 0 });
  if (value === undefined) throw new Error(`not admitted: ${JSON.stringify(diagnostics)}`);
  const emitted = value.inventory.objects.map(({ object }) => forHub(object, target));
  const tree = emit(emitted, {}, 'argocd');
  const [kustomization] = parseObjects(tree.get(kustomizationFile) ?? '');
  const { resources } = kustomization as unknown as { readonly resources: readonly string[] };
  const written: readonly KubernetesObject[] = resources.flatMap((file) =>
    parseObjects(tree.get(file) ?? ''),
  );
  return { fleet: [], objects: written };
}
