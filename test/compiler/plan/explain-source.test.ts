import { describe, expect, test } from 'vitest';
import { explainAddOn } from '../../../src/compiler/explain/explain-add-on.ts';
import { explanationText } from '../../../src/compiler/report/text/explanation-text.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { resolveTemplate, type TemplateAddOn } from '../render/template-add-on.ts';

const source = (kind: string, files: object, spec: object = {}): object => ({
  apiVersion: 'fleetwright.dev/v1alpha1',
  kind,
  metadata: { name: 'agent' },
  spec: { files, ...spec },
});

const chart = source(
  'HelmChart',
  {
    'Chart.yaml': 'apiVersion: v2\nname: agent\nversion: 1.0.0\n',
    'values.yaml': 'replicas: 1\nimage: { name: agent, tag: "1" }\n',
    'templates/agent.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: agent
  namespace: agents
spec:
  replicas: {{ .Values.replicas }}
  template:
    spec:
      containers:
        - name: agent
          image: "{{ .Values.image.name }}:{{ .Values.image.tag }}"
`,
  },
  { variables: { TAG: 'image.tag' } },
);

function explained(field: string, addOn: TemplateAddOn): string {
  const { resolution } = resolveTemplate({
    annotations: { 'fleetwright.dev/delivery': 'compiled' },
    ...addOn,
  });
  const explanation = explainAddOn(resolution, 'agent', 'c1', field, hubVersion('1.3'));
  if (explanation === undefined) return 'no such add-on';
  return explanationText(explanation, { paint: (_tone: unknown, text: string) => text, names: 3 })
    .replace(/^[^]*\nvalues\n/, '')
    .replaceAll(/ \(app\.yaml:\d+\)/g, '');
}

describe('a value of a chart', () => {
  test('names the line of the template, the path of the value, and the layer that sets it', () => {
    const clusters = {
      c1: { addOnMetadata: { annotations: { 'addon.open-cluster-management.io/values': '{"replicas":3}' } } },
    };
    expect(explained('Deployment/agent spec.replicas', { manifests: [chart], clusters }))
      .toMatchInlineSnapshot(`
        "  Deployment agents/agent spec.replicas: 3
            because of annotation addon.open-cluster-management.io/values of ManagedClusterAddOn c1/agent; without it 1
            written by templates/agent.yaml:7, which reads replicas from GetValuesFromAddonAnnotation
        "
      `);
  });

  test('names each action that writes a part of it', () => {
    expect(
      explained('Deployment/agent spec.template.spec.containers[0].image', {
        manifests: [chart],
        config: { customizedVariables: [{ name: 'TAG', value: '2' }] },
      }),
    ).toMatchInlineSnapshot(`
      "  Deployment agents/agent spec.template.spec.containers[agent].image: "agent:2"
          because of variable TAG of AddOnDeploymentConfig ns/config; without it "agent:1"
          written by templates/agent.yaml:12, which reads image.name from values.yaml of the chart (values.yaml:2)
          written by templates/agent.yaml:12, which reads image.tag from variable TAG
      "
    `);
  });

  test('that is fixed text names its file', () => {
    expect(explained('Deployment/agent metadata.name', { manifests: [chart] })).toMatchInlineSnapshot(`
      "  Deployment agents/agent metadata.name: "agent"
          because of AddOnTemplate template
          written by templates/agent.yaml
      "
    `);
  });
});

test('a value of Go templates names the line of the template', () => {
  const templates = source('GoTemplates', {
    'settings.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings, namespace: agents }\ndata:\n  cluster: {{ .ClusterName }}\n',
  });
  expect(explained('ConfigMap/settings data.cluster', { manifests: [templates] })).toMatchInlineSnapshot(`
    "  ConfigMap agents/settings data.cluster: "c1"
        because of AddOnTemplate template
        written by settings.yaml:5
    "
  `);
});
