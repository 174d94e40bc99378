import { describe, expect, test } from 'vitest';
import { resolveTemplate, type TemplateAddOn } from '../../render/template-add-on.ts';

const metadata = { name: 'agent', namespace: 'agents' };
const clusters = { c1: { kubernetes: 'v1.29.4+k3s1' }, c2: { kubernetes: 'v1.31.0' }, c3: {} };
const pod = (spec: object): object => ({ apiVersion: 'v1', kind: 'Pod', metadata, spec });

/** What users read of the findings about manifests. */
function findingTexts(manifests: readonly object[], more: TemplateAddOn = { clusters }): string[] {
  return resolveTemplate({ manifests, ...more })
    .diagnostics.filter(({ code }) => /^FW713[123]$/.test(code))
    .map(({ code, severity, message, object, path, hint }) =>
      [`${severity} ${code}: ${message}`, `${object?.kind} ${object?.name} at ${path}`, hint].join('\n'),
    );
}

describe('FW7131: a kind', () => {
  test.each([
    ['v1', 'Deployment', 'write apiVersion: apps/v1'],
    ['apps/v1', 'Deploymnet', 'did you mean "Deployment"?'],
    ['apps/v2', 'Deployment', 'write apiVersion: apps/v1'],
    ['rbac.authorisation.k8s.io/v1', 'Role', 'did you mean "rbac.authorization.k8s.io/v1"?'],
    ['v1', 'List', 'write the items of the list as manifests'],
    ['policy/v1beta1', 'PodDisruptionBudget', 'write apiVersion: policy/v1, and adapt its fields'],
    ['extensions/v1beta1', 'Ingress', 'write apiVersion: networking.k8s.io/v1, and adapt its fields'],
  ])('%s %s is not served by any cluster', (apiVersion, kind, hint) => {
    const [finding = ''] = findingTexts([{ apiVersion, kind, metadata }]);
    expect(finding).toContain('on 3 clusters, such as "c1" (Kubernetes 1.29)');
    expect(finding.split('\n').at(-1)).toBe(hint);
  });

  test('of a later or an earlier release is reported for the clusters that do not have it', () => {
    const policy = { kind: 'ValidatingAdmissionPolicy', metadata: { name: 'a' } };
    const api = 'admissionregistration.k8s.io';
    expect(
      findingTexts([
        { apiVersion: `${api}/v1`, ...policy },
        { apiVersion: 'flowcontrol.apiserver.k8s.io/v1beta2', kind: 'FlowSchema', metadata: { name: 'a' } },
      ]),
    ).toMatchInlineSnapshot(`
      [
        "warning FW7131: ValidatingAdmissionPolicy a: ValidatingAdmissionPolicy in admissionregistration.k8s.io/v1 exists only in Kubernetes 1.30 and later, so it is not applied on 1 cluster, such as "c1" (Kubernetes 1.29)
      AddOnTemplate template at spec.agentSpec.workload.manifests[0].apiVersion
      the kind is also in admissionregistration.k8s.io/v1alpha1, admissionregistration.k8s.io/v1beta1",
        "warning FW7131: FlowSchema a: FlowSchema in flowcontrol.apiserver.k8s.io/v1beta2 exists only in Kubernetes 1.28 and earlier, so it is not applied on 2 clusters, such as "c1" (Kubernetes 1.29)
      AddOnTemplate template at spec.agentSpec.workload.manifests[1].apiVersion
      the kind is also in flowcontrol.apiserver.k8s.io/v1, flowcontrol.apiserver.k8s.io/v1beta1, flowcontrol.apiserver.k8s.io/v1beta3",
      ]
    `);
  });

  test.each([
    ['apps/v1', 'Deployment'],
    ['example.com/v1', 'Deployment'],
    ['monitoring.coreos.com/v1', 'ServiceMonitor'],
    ['snapshot.storage.k8s.io/v1', 'VolumeSnapshot'],
    ['{{API}}/v1', 'Deployment'],
    ['policy/v1alpha1', 'PodDisruptionBudget'],
  ])('%s %s passes', (apiVersion, kind) => {
    expect(findingTexts([{ apiVersion, kind, metadata }])).toEqual([]);
  });

  test('of a group that a manifest beside it defines passes', () => {
    const crd = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'roles.rbac.authorisation.k8s.io' },
      spec: { group: 'rbac.authorisation.k8s.io' },
    };
    const role = { apiVersion: 'rbac.authorisation.k8s.io/v1', kind: 'Role', metadata };
    expect(findingTexts([crd, role])).toEqual([]);
  });

  test('that no release has may be one of a newer release, unless it is misspelled', () => {
    const newer = { clusters: { c1: { kubernetes: 'v1.99.0' } } };
    expect(findingTexts([{ apiVersion: 'v1', kind: 'Sidecar', metadata }], newer)).toEqual([]);
    expect(findingTexts([{ apiVersion: 'v1', kind: 'ConfgMap', metadata }], newer)).toHaveLength(1);
  });
});

describe('FW7132: a field', () => {
  test('that no release has is dropped', () => {
    expect(findingTexts([pod({ contianers: [] })])).toMatchInlineSnapshot(`
      [
        "warning FW7132: Pod agents/agent: Kubernetes has no field "contianers" in spec, so it is dropped on 3 clusters, such as "c1" (Kubernetes 1.29)
      AddOnTemplate template at spec.agentSpec.workload.manifests[0].spec.contianers
      did you mean "containers"?",
      ]
    `);
  });
  test('of a later release is dropped on the others', () => {
    expect(
      findingTexts([
        {
          apiVersion: 'v1',
          kind: 'Service',
          metadata,
          spec: { trafficDistribution: 'PreferClose', ports: [{ port: 80, targetport: 8080 }] },
        },
      ]),
    ).toMatchInlineSnapshot(`
      [
        "warning FW7132: Service agents/agent: field "trafficDistribution" in spec exists only in Kubernetes 1.30 and later, so it is dropped on 1 cluster, such as "c1" (Kubernetes 1.29)
      AddOnTemplate template at spec.agentSpec.workload.manifests[0].spec.trafficDistribution
      ",
        "warning FW7132: Service agents/agent: Kubernetes has no field "targetport" in spec.ports[0], so it is dropped on 3 clusters, such as "c1" (Kubernetes 1.29)
      AddOnTemplate template at spec.agentSpec.workload.manifests[0].spec.ports[0].targetport
      did you mean "targetPort"?",
      ]
    `);
  });
  test('of free form passes', () => {
    const crd = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'a' },
      spec: {
        versions: [
          {
            name: 'v1',
            schema: {
              openAPIV3Schema: { properties: { a: { default: { any: 1 }, items: { type: 'string' } } } },
            },
          },
        ],
      },
    };
    const labels = { 'example.com/any': 'x' };
    const limits = { 'nvidia.com/gpu': 1, memory: '1Gi' };
    expect(
      findingTexts([crd, pod({ nodeSelector: labels, containers: [{ name: 'a', resources: { limits } }] })]),
    ).toEqual([]);
  });
  test('of an unknown release is reported only if no release has it', () => {
    const spec = { trafficDistribution: 'x', nodeport: 1 };
    const findings = findingTexts([{ apiVersion: 'v1', kind: 'Service', metadata, spec }], {
      clusters: { c1: {} },
    });
    expect(findings).toHaveLength(1);
    expect(findings[0]).toContain(
      'Kubernetes has no field "nodeport" in spec, so it is dropped on 1 cluster, such as "c1"\n',
    );
  });
});

describe('FW7133: a value', () => {
  test('of the wrong type is refused', () => {
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { port: 80, on: true } };
    const ports = [{ containerPort: '{{PORT}}' }];
    expect(
      findingTexts([
        configMap,
        pod({ containers: { name: 'a', ports } }),
        pod({ containers: [{ name: 'a', ports }] }),
      ]),
    ).toMatchInlineSnapshot(`
      [
        "warning FW7133: ConfigMap agents/agent: data.port must be a text, but is 80, so the manifest is not applied on 3 clusters, such as "c1" (Kubernetes 1.29)
      AddOnTemplate template at spec.agentSpec.workload.manifests[0].data.port
      put it in quotes: "80"",
        "warning FW7133: ConfigMap agents/agent: data.on must be a text, but is true, so the manifest is not applied on 3 clusters, such as "c1" (Kubernetes 1.29)
      AddOnTemplate template at spec.agentSpec.workload.manifests[0].data.on
      put it in quotes: "true"",
        "warning FW7133: Pod agents/agent: spec.containers must be a list, but is an object, so the manifest is not applied on 3 clusters, such as "c1" (Kubernetes 1.29)
      AddOnTemplate template at spec.agentSpec.workload.manifests[1].spec.containers
      write a list",
        "warning FW7133: Pod agents/agent: spec.containers[0].ports[0].containerPort must be an integer, but is the text "{{PORT}}", so the manifest is not applied on 3 clusters, such as "c1" (Kubernetes 1.29)
      AddOnTemplate template at spec.agentSpec.workload.manifests[2].spec.containers[0].ports[0].containerPort
      a variable stays inside its quotes: write an integer into the template",
      ]
    `);
  });
  test('of a Deployment in a template is left to FW7104, and not in a work', () => {
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { replicas: '2' } };
    expect(findingTexts([deployment])).toEqual([]);
    const work = {
      apiVersion: 'work.open-cluster-management.io/v1',
      kind: 'ManifestWork',
      metadata: { name: 'work', namespace: 'c2' },
      spec: { workload: { manifests: [deployment] } },
    };
    expect(findingTexts([], { clusters, others: [work] })).toMatchInlineSnapshot(`
      [
        "warning FW7133: Deployment agents/agent: spec.replicas must be an integer, but is the text "2", so the manifest is not applied on 1 cluster, such as "c2" (Kubernetes 1.31)
      ManifestWork work at spec.workload.manifests[0].spec.replicas
      write an integer",
      ]
    `);
  });
  test('null is not a value', () => {
    expect(findingTexts([pod({ containers: [{ name: 'a', env: null }], nodeSelector: null })])).toEqual([]);
  });
});

test('without clusters no release is known, and a kind that no release has is reported', () => {
  const findings = findingTexts([{ apiVersion: 'apps/v1', kind: 'Deploymnet', metadata }], { clusters: {} });
  expect(findings).toEqual([
    'warning FW7131: Deploymnet agents/agent: Kubernetes has no Deploymnet in apps/v1, so it is not applied\nAddOnTemplate template at spec.agentSpec.workload.manifests[0].kind\ndid you mean "Deployment"?',
  ]);
});
