import { expect, test } from 'vitest';
import { plan } from '../../../src/compiler/plan/plan.ts';
import { planText } from '../../../src/compiler/report/text/plan-text.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { resolveTemplate, type ClusterOfAddOn } from '../render/template-add-on.ts';

const values = 'addon.open-cluster-management.io/values';

const chartWith = (data: string): object => ({
  apiVersion: 'fleetwright.dev/v1alpha1',
  kind: 'HelmChart',
  metadata: { name: 'agent' },
  spec: {
    files: {
      'Chart.yaml': 'apiVersion: v2\nname: agent\nversion: 1.0.0\n',
      'values.yaml': 'replicas: 1\n',
      'templates/settings.yaml': `apiVersion: v1
kind: ConfigMap
metadata: { name: settings, namespace: agents }
data:
  replicas: {{ .Values.replicas | quote }}
  ${data}
`,
    },
  },
});

const plain = 'cluster: {{ .Values.clusterName }}';
const versioned = `api: '{{ if semverCompare ">=1.31-0" .Capabilities.KubeVersion.Version }}v1{{ else }}v1beta1{{ end }}'`;

type Clusters = Readonly<Record<string, ClusterOfAddOn>>;

/** The plan from one state of the clusters to another. */
function planOf(
  base: { readonly chart: string; readonly clusters: Clusters },
  head: { readonly chart?: string; readonly clusters?: Clusters },
): string {
  const [before, after] = [base, { ...base, ...head }].map(
    ({ chart, clusters }) =>
      resolveTemplate({
        annotations: { 'fleetwright.dev/delivery': 'compiled' },
        manifests: [chartWith(chart)],
        clusters,
      }).resolution,
  );
  if (before === undefined || after === undefined) throw new Error('two states');
  const { value } = plan([{ app: 'agent', base: before, head: after }], {
    hub: hubVersion('1.3'),
    by: [],
  });
  return planText(value, { paint: (_tone, part) => part, names: 10 })
    .replace(/ {2}\d waves?\n[^]*/, '')
    .replace(/\n(?:reach|objects)\n[^]*/, '')
    .replaceAll(/ \(app\.yaml:\d+\)/g, '')
    .replace(/hash: [0-9a-f]{64}\n$/, '');
}

const annotated = (replicas: number): ClusterOfAddOn => ({
  addOnMetadata: { annotations: { [values]: `{"replicas":${replicas}}` } },
});

test('the values annotation of a ManagedClusterAddOn changes the manifests of its chart', () => {
  const clusters = { c1: annotated(2), c2: annotated(2) };
  expect(planOf({ chart: plain, clusters }, { clusters: { ...clusters, c2: annotated(3) } }))
    .toMatchInlineSnapshot(`
    "agent
      changed on 1 cluster: c2
        because its ManagedClusterAddOn was edited
        ManagedClusterAddOn agent
          metadata.annotations[addon.open-cluster-management.io/values]: "{\\"replicas\\":2}" -> "{\\"replicas\\":3}"
        ConfigMap agents/settings
          data.replicas: "2" -> "3"
    "
  `);
});

test('a values annotation that no template reads changes no manifest', () => {
  const clusters = { c1: {} };
  const other = { c1: { addOnMetadata: { annotations: { [values]: '{"unread":1}' } } } };
  expect(planOf({ chart: plain, clusters }, { clusters: other })).toMatchInlineSnapshot(`
    "agent
      changed on 1 cluster: c1
        because its ManagedClusterAddOn was edited
        ManagedClusterAddOn agent
          metadata.annotations[addon.open-cluster-management.io/values]: "{\\"unread\\":1}" added
    "
  `);
});

const running = (...versions: readonly string[]): Clusters =>
  Object.fromEntries(versions.map((kubernetes, index) => [`c${index + 1}`, { kubernetes }]));

test('another version of Kubernetes changes the manifests of a chart that reads it', () => {
  const clusters = running('v1.30.1', 'v1.30.1', 'v1.31.2', 'v1.30.1');
  const upgraded = running('v1.31.0', 'v1.31.0', 'v1.31.3', 'v1.30.2');
  expect(planOf({ chart: versioned, clusters }, { clusters: upgraded })).toMatchInlineSnapshot(`
    "agent
      changed on 2 clusters: c1, c2
        because the version of Kubernetes changed from v1.30.1 to v1.31.0
        ConfigMap agents/settings
          data.api: "v1beta1" -> "v1"
    "
  `);
  expect(planOf({ chart: plain, clusters }, { clusters: upgraded })).toMatchInlineSnapshot(`
    "plan: nothing changes on 4 clusters
    "
  `);
});

test('an edit of a Secret that is not delivered, because it is random, is listed as such', () => {
  const secret = (level: string): string =>
    `a: b
---
apiVersion: v1
kind: Secret
metadata: { name: server, namespace: agents }
stringData: { level: ${level}, password: '{{ randAlphaNum 16 }}' }
`;
  const clusters = { c1: {} };
  expect(planOf({ chart: secret('info'), clusters }, { chart: secret('debug') })).toContain(
    'Secret agents/server (not delivered)\n      stringData.level: ',
  );
});
