import { explainAddOn } from '../../src/compiler/explain/explain-add-on.ts';
import type { ExplainedOrigin } from '../../src/compiler/explain/explain-manifest.ts';
import { load } from '../../src/compiler/load/load.ts';
import { resolve, type Resolution } from '../../src/compiler/resolve.ts';
import { hubVersion } from '../../src/ocm/hub-version.ts';
import type { CorpusChart } from './corpus.ts';

/** The name of the add-on, and of its release. */
export const addOn = 'release';
const cluster = 'cluster1';
const hub = hubVersion('1.3');

/** A chart as the only manifest of an add-on with compiled delivery on one cluster. */
export class ExplainedChart {
  readonly #resolution: Resolution;

  constructor(chart: CorpusChart) {
    const loaded = load([{ file: 'app.yaml', text: manifestsFor(chart), source: 'app' }]);
    const { value, diagnostics } = resolve(loaded.value, { now: Date.parse('2026-01-31T12:00:00Z'), hub });
    if (value === undefined)
      throw new Error(JSON.stringify([...loaded.diagnostics, ...diagnostics], null, 2));
    this.#resolution = value;
  }

  /** Returns the objects that the add-on delivers. */
  objects(): readonly object[] {
    const works = this.#resolution.rendering.predicted(addOn, cluster)?.works ?? [];
    return works.flatMap(({ spec }) => (spec?.workload?.manifests ?? []) as readonly object[]);
  }

  /** Returns what `explain` answers for one field, such as `Deployment/agents/agent spec.replicas`. */
  explain(object: string, path: string): readonly ExplainedOrigin[] {
    const explained = explainAddOn(this.#resolution, addOn, cluster, `${object} ${path}`, hub, {
      showSecrets: true,
    });
    return explained?.manifest.find((each) => each.path === path)?.origins ?? [];
  }
}

/** Returns the text of an add-on that delivers a chart to clusters. */
export function manifestsFor(
  chart: CorpusChart,
  clusters: readonly string[] = [cluster],
  values: object = {},
): string {
  const group = 'addon.open-cluster-management.io';
  const objects = [
    {
      apiVersion: `${group}/v1alpha1`,
      kind: 'ClusterManagementAddOn',
      metadata: { name: addOn, annotations: { 'fleetwright.dev/delivery': 'compiled' } },
      spec: {
        supportedConfigs: [{ group, resource: 'addontemplates', defaultConfig: { name: 'template' } }],
      },
    },
    {
      apiVersion: `${group}/v1alpha1`,
      kind: 'AddOnTemplate',
      metadata: { name: 'template' },
      spec: { addonName: addOn, agentSpec: { workload: { manifests: [sourceOf(chart, values)] } } },
    },
    ...clusters.flatMap((name) => [
      {
        apiVersion: 'cluster.open-cluster-management.io/v1',
        kind: 'ManagedCluster',
        metadata: { name },
        spec: { hubAcceptsClient: true },
        status: { version: { kubernetes: 'v1.34.2' } },
      },
      {
        apiVersion: `${group}/v1beta1`,
        kind: 'ManagedClusterAddOn',
        metadata: { name: addOn, namespace: name },
        spec: {},
      },
    ]),
  ];
  return objects.map((object) => JSON.stringify(object)).join('\n---\n');
}

function sourceOf({ files }: CorpusChart, values: object = {}): object {
  const texts: Record<string, string> = {};
  const binaryFiles: Record<string, string> = {};
  for (const [name, bytes] of files) {
    const text = Buffer.from(bytes).toString('utf8');
    if (Buffer.from(text).equals(bytes)) texts[name] = text;
    else binaryFiles[name] = Buffer.from(bytes).toString('base64');
  }
  return {
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind: 'HelmChart',
    metadata: { name: 'chart' },
    spec: { files: texts, values, ...(Object.keys(binaryFiles).length > 0 && { binaryFiles }) },
  };
}
