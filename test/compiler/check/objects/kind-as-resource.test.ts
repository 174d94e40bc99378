import { expect, test } from 'vitest';
import { compareText } from '../../../../src/base/collections/compare-text.ts';
import { findingTexts } from '../check-fixture.ts';

const group = 'addon.open-cluster-management.io';

test('a kind or a singular name in place of a configuration resource is reported with the plural', () => {
  const texts = findingTexts('FW7181', [
    `apiVersion: ${group}/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: demo }
spec:
  supportedConfigs:
    - { group: ${group}, resource: AddOnTemplate, defaultConfig: { name: demo-1 } }
    - { group: ${group}, resource: addondeploymentconfig }
    - { group: ${group}, resource: addondeploymentconfigs }
    - { group: example.com, resource: Anything }
`,
  ]);
  expect(texts).toEqual([
    expect.stringContaining('did you mean "addontemplates"?'),
    expect.stringContaining('did you mean "addondeploymentconfigs"?'),
  ]);
});

test('so are orphaning rules and configurations of works', () => {
  const texts = findingTexts('FW7181', [
    `apiVersion: work.open-cluster-management.io/v1
kind: ManifestWork
metadata: { name: w, namespace: c1 }
spec:
  workload: { manifests: [{ apiVersion: v1, kind: Namespace, metadata: { name: a } }] }
  deleteOption:
    propagationPolicy: SelectivelyOrphan
    selectivelyOrphans: { orphaningRules: [{ group: '', resource: Namespace, name: a }] }
  manifestConfigs:
    - resourceIdentifier: { group: apps, resource: deployment, name: a, namespace: a }
      updateStrategy: { type: CreateOnly }
    - resourceIdentifier: { group: apps, resource: deployments, name: b, namespace: a }
      updateStrategy: { type: CreateOnly }
`,
  ]);
  expect(texts).toEqual([
    expect.stringContaining('did you mean "namespaces"?'),
    expect.stringContaining('did you mean "deployments"?'),
  ]);
});

test('so are those of templates, permissions and references to kinds, also in the manifests of works', () => {
  const texts = findingTexts('FW7181', [
    `apiVersion: ${group}/v1alpha1
kind: AddOnTemplate
metadata: { name: demo }
spec:
  addonName: demo
  agentSpec:
    deleteOption:
      propagationPolicy: SelectivelyOrphan
      selectivelyOrphans: { orphaningRules: [{ resource: Namespace, name: a }] }
    manifestConfigs:
      - resourceIdentifier: { group: apps, resource: Deployment, name: a, namespace: a }
    workload:
      manifests:
        - apiVersion: rbac.authorization.k8s.io/v1
          kind: ClusterRole
          metadata: { name: r }
          rules:
            - { apiGroups: [''], resources: [Secret, configmaps, pods/log, '*'], verbs: [get] }
            - { apiGroups: ['', apps], resources: [deployments], verbs: [get] }
        - apiVersion: autoscaling/v2
          kind: HorizontalPodAutoscaler
          metadata: { name: a, namespace: a }
          spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: apps/v1, kind: deployments, name: a } }
`,
    `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: b }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: clusterrole, name: r }
subjects: [{ kind: Group, apiGroup: rbac.authorization.k8s.io, name: g }]
`,
  ]);
  expect(texts.flatMap((text) => /did you mean (".*")/.exec(text)?.[1] ?? []).sort(compareText)).toEqual([
    '"ClusterRole"',
    '"Deployment"',
    '"deployments"',
    '"namespaces"',
    '"secrets"',
  ]);
});
