import { expect, test } from 'vitest';
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
