import { describe, expect, test } from 'vitest';
import { compiledClusters } from '../../../src/compiler/deliver/compiled-clusters.ts';
import { individualObjects } from '../../../src/compiler/deliver/individual-objects.ts';
import { hasErrors } from '../../../src/compiler/model/diagnostic.ts';
import { explainAddOn } from '../../../src/compiler/explain/explain-add-on.ts';
import { explanationText } from '../../../src/compiler/report/text/explanation-text.ts';
import type { Resolution } from '../../../src/compiler/resolve.ts';
import type { AddOnTemplateV1alpha1 } from '../../../schemas/types.gen.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { fleetOf } from '../../resolve-text.ts';
import { addOnText, findingLines, parametersText, resolveParameters } from './parameters-text.ts';

const target = { hub: hubVersion('1.3'), addOnApiVersion: 'v1alpha1' } as const;

const fleet = fleetOf({ c1: { region: 'eu' }, c2: {}, c3: {} });

/** The add-on `logs` with a chart of one template. */
function chartAddOn(template: string, { delivery = 'compiled', kind = 'HelmChart' } = {}): string {
  const isChart = kind === 'HelmChart';
  const files = isChart
    ? {
        'Chart.yaml': 'apiVersion: v2\nname: logs\nversion: 1.0.0\n',
        'values.yaml': 'replicas: 1\nverbose: false\nimage: { tag: v0, pull: Always }\n',
        'templates/agent.yaml': template,
      }
    : { 'agent.yaml': template };
  const source = {
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind,
    metadata: { name: 'agent' },
    spec: { files },
  };
  return addOnText({ annotations: { 'fleetwright.dev/delivery': delivery } }).replace(
    /- \{ apiVersion: v1, kind: ConfigMap.*\n/,
    `- ${JSON.stringify(source)}\n`,
  );
}

function resolved(addOn: string, parameters: string): Resolution {
  const { resolution, diagnostics } = resolveParameters(addOn + parametersText(parameters), fleet);
  if (resolution === undefined || hasErrors(diagnostics)) throw new Error(JSON.stringify(diagnostics));
  expect(findingLines(diagnostics)).toEqual([]);
  return resolution;
}

/** The data of the ConfigMap that each cluster gets. */
function dataOf(resolution: Resolution): unknown {
  return Object.fromEntries(
    [...(resolution.configuration.get('logs')?.clusters.keys() ?? [])].map((cluster) => {
      const works = resolution.rendering.clusterAddOn('logs', cluster)?.works ?? [];
      const [manifest] = works.flatMap(({ spec }) => spec?.workload?.manifests ?? []);
      return [cluster, (manifest as { readonly data?: unknown } | undefined)?.data];
    }),
  );
}

const settings = `apiVersion: v1
kind: ConfigMap
metadata: { name: logs, namespace: logs }
data:
  replicas: "{{ kindOf .Values.replicas }} {{ .Values.replicas }}"
  verbose: "{{ if .Values.verbose }}yes{{ else }}no{{ end }}"
  tag: "{{ kindOf .Values.image.tag }} {{ .Values.image.tag }} {{ .Values.image.pull }}"
  hosts: {{ .Values.hosts | join "," | quote }}
  annotations: {{ toJson .Values.annotations | quote }}
  tier: {{ index .Values.labels "example.com/tier" }}
`;

const texts = `apiVersion: v1
kind: ConfigMap
metadata: { name: logs, namespace: logs }
data: { image: "example.com/logs:{{ .Values.image.tag }}", replicas: {{ .Values.replicas | quote }} }
`;

const parameters = `parameters:
  replicas: { type: integer, chartValue: replicas, default: 2 }
  verbose: { type: boolean, chartValue: verbose, default: false }
  tag: { type: string, chartValue: image.tag, default: "1.10" }
  hosts: { type: list, items: { type: string }, chartValue: hosts, default: [a, b] }
  annotations: { type: object, chartValue: [annotations], default: { a: 1 } }
  tier: { type: enum, values: [basic, gold], chartValue: [labels, example.com/tier], default: basic }
layers:
- where: { region: eu }
  values: { replicas: 10000000, verbose: true, tag: "7", hosts: { $append: [c] }, annotations: { b: [true] } }
- cluster: c3
  values: { tag: null, replicas: null, tier: gold }
`;

describe('parameters that are values of a chart', () => {
  test('with compiled delivery, the chart gets them in their types, and its defaults where there is no value', () => {
    const resolution = resolved(chartAddOn(settings), parameters);
    expect(dataOf(resolution)).toEqual({
      c1: {
        replicas: 'float64 1e+07',
        verbose: 'yes',
        tag: 'string 7 Always',
        hosts: 'a,b,c',
        annotations: '{"a":1,"b":[true]}',
        tier: 'basic',
      },
      c2: {
        replicas: 'float64 2',
        verbose: 'no',
        tag: 'string 1.10 Always',
        hosts: 'a,b',
        annotations: '{"a":1}',
        tier: 'basic',
      },
      c3: {
        replicas: 'float64 1',
        verbose: 'no',
        tag: 'string v0 Always',
        hosts: 'a,b',
        annotations: '{"a":1}',
        tier: 'gold',
      },
    });
  });

  test('the emitted objects render the same without the parameters', () => {
    const resolution = resolved(chartAddOn(settings), parameters);
    const emitted = individualObjects(resolution, target);
    const text = emitted.map((object) => `---\n${JSON.stringify(object)}\n`).join('');
    const clusterAddOns = [...compiledClusters(resolution, target)].map(
      ({ objects: [clusterAddOn] }) => `---\n${JSON.stringify(clusterAddOn)}\n`,
    );
    const { resolution: again, diagnostics } = resolveParameters(text + clusterAddOns.join(''), fleet);
    if (again === undefined) throw new Error(JSON.stringify(diagnostics));
    expect(dataOf(again)).toEqual(dataOf(resolution));
  });

  test('Go templates get them, too', () => {
    const template = `apiVersion: v1
kind: ConfigMap
metadata: { name: logs, namespace: logs }
data: { replicas: "{{ printf "%T %v" .Replicas .Replicas }}" }
`;
    const spec = 'parameters: { replicas: { type: integer, chartValue: Replicas, default: 3 } }\n';
    const { resolution, diagnostics } = resolveParameters(
      chartAddOn(template, { kind: 'GoTemplates' }) + parametersText(spec),
      fleet,
    );
    if (resolution === undefined) throw new Error(JSON.stringify(diagnostics));
    expect(dataOf(resolution)).toMatchObject({ c1: { replicas: 'float64 3' } });
  });

  test('explain of a rendered field names the template, the value and the layer', () => {
    const resolution = resolved(chartAddOn(texts), parameters);
    const explanation = explainAddOn(resolution, 'logs', 'c1', 'ConfigMap/logs data.image', target.hub);
    if (explanation === undefined) throw new Error('not explained');
    const text = explanationText(explanation, { paint: (_tone: unknown, part: string) => part, names: 3 });
    expect(text.replace(/^[^]*\nvalues\n/, '').replaceAll(/-[0-9a-f]{10}/g, '-HASH')).toBe(
      `  ConfigMap logs/logs data.image: "example.com/logs:7"
    because of variable tag of AddOnDeploymentConfig default/logs-HASH, set by the layer region=eu; without it "example.com/logs:v0" (app.yaml:39)
    written by templates/agent.yaml:4, which reads image.tag from variable tag
`,
    );
  });

  test('FW4115: an add-on whose templates have no chart', () => {
    const { diagnostics } = resolveParameters(
      addOnText() + parametersText('parameters:\n  tag: { type: string, chartValue: image.tag }\n'),
      fleet,
    );
    expect(findingLines(diagnostics)).toEqual([
      'FW4115 31: "tag" has no effect: no AddOnTemplate of "logs" in this app has a chart or Go templates (add a HelmChart to the workload of the template, or remove chartValue, so that the parameter is a customized variable)',
    ]);
  });
});

describe('with hub delivery', () => {
  const spec = `parameters:
  replicas: { type: integer, chartValue: replicas, default: 2 }
  tag: { type: string, chartValue: image.tag, default: v1 }
  verbose: { type: boolean, chartValue: verbose, default: false }
layers:
- where: { region: eu }
  values: { replicas: 3, tag: v2, verbose: true }
`;

  test('a value that is only inserted becomes a variable of the template', () => {
    const resolution = resolved(chartAddOn(texts, { delivery: 'hub' }), spec);
    const template = individualObjects(resolution, target).find(({ kind }) => kind === 'AddOnTemplate');
    const { agentSpec } = (template as unknown as AddOnTemplateV1alpha1).spec;
    expect(agentSpec.workload?.manifests).toMatchObject([
      { data: { image: 'example.com/logs:{{tag}}', replicas: '{{replicas}}' } },
    ]);
    expect(dataOf(resolution)).toEqual({
      c1: { image: 'example.com/logs:v2', replicas: '3' },
      c2: { image: 'example.com/logs:v1', replicas: '2' },
      c3: { image: 'example.com/logs:v1', replicas: '2' },
    });
  });

  test.each([
    [
      'is a number in the manifest',
      `${texts}immutable: {{ .Values.verbose }}\n`,
      'verbose (variable verbose) in templates/agent.yaml:5 is more than an inserted text: immutable has another value',
    ],
    [
      'decides a condition',
      `${texts}{{ if .Values.verbose }}immutable: true{{ end }}\n`,
      'verbose (variable verbose) in templates/agent.yaml:5 is more than an inserted text: immutable has another value',
    ],
    [
      'is computed with',
      texts.replace('.Values.replicas', '(add 1 .Values.replicas)'),
      'replicas (variable replicas) in templates/agent.yaml:4 is more than an inserted text: data.replicas has another value',
    ],
  ])('FW6037: a value that %s', (_what, template, message) => {
    const { diagnostics } = resolveParameters(
      chartAddOn(template, { delivery: 'hub' }) + parametersText(spec),
      fleet,
    );
    expect(diagnostics.filter(({ code }) => code === 'FW6037').map((each) => each.message)).toEqual([
      `the chart or Go templates of add-on "logs" cannot become a template of the hub: ${message}`,
    ]);
  });
});
