import { getOrInsertComputed } from '../../../collections/get-or-insert.ts';
import { loadChart, renderChart, type Chart, type ChartFault } from '../../../charts/index.ts';
import type { GoJsonObject } from '../../../kubernetes/go/json.ts';
import { textOf } from '../../../gotemplate/index.ts';
import { codes } from '../../codes.ts';
import type { AgentValues } from '../agent-values/agent-values.ts';
import type { RenderFault } from '../fault.ts';
import { GoTemplates } from './go-templates.ts';
import { readSource, type ManifestSource } from './manifest-source.ts';
import { sourceValues, type ClusterFacts, type SourceInputs } from './source-values.ts';

/** The objects that a source renders for a cluster, or the first fault. */
export type SourceObjects =
  { readonly objects: readonly { readonly object: GoJsonObject; readonly file: string }[] } | RenderFault;

/** A source that is loaded: its charts and templates are parsed. */
interface LoadedSource {
  readonly source: ManifestSource;
  /** Whether two clusters with equal facts can have different manifests. */
  readonly readsClusterName: boolean;
  render(values: AgentValues, addOn: string, kubernetesVersion: string): SourceObjects;
}

const loaded = new WeakMap<GoJsonObject, LoadedSource | RenderFault>();

/**
 * Returns a function that renders a source for clusters. Clusters with equal values share one rendering, unless a template reads
 * the cluster's name.
 */
export function sourceRenderer(
  manifest: GoJsonObject,
  inputs: SourceInputs,
): (cluster: string, facts: ClusterFacts) => SourceObjects {
  const ready = getOrInsertComputed(loaded, manifest, () => load(manifest));
  if ('error' in ready) return () => ready;
  const rendered = new Map<string, SourceObjects>();
  return (cluster, facts) => {
    const { annotation, installNamespace, hostingCluster, kubernetesVersion } = facts;
    const key = JSON.stringify([
      annotation,
      installNamespace,
      hostingCluster,
      kubernetesVersion,
      ready.readsClusterName ? cluster : '',
    ]);
    return getOrInsertComputed(rendered, key, () => {
      const values = sourceValues(ready.source, inputs, cluster, facts);
      return 'error' in values ? values : ready.render(values, inputs.addOn, kubernetesVersion);
    });
  };
}

/** Returns the faults of a source that stop nothing. */
export function sourceWarnings(manifest: GoJsonObject): readonly ChartFault[] {
  const source = readSource(manifest);
  if ('error' in source || source.kind !== 'helm') return [];
  return loadChart(source.archive ?? source.files).faults.filter((each) => !isError(each));
}

function load(manifest: GoJsonObject): LoadedSource | RenderFault {
  const source = readSource(manifest);
  if ('error' in source) return source;
  return source.kind === 'helm' ? loadedChart(source) : loadedTemplates(source);
}

function loadedChart(source: ManifestSource): LoadedSource | RenderFault {
  const { chart, faults } = loadChart(source.archive ?? source.files);
  const first = faults.find(isError);
  if (chart === undefined || first !== undefined) return chartFault(first);
  return {
    source,
    readsClusterName: source.archive !== undefined || readsName(source.files),
    render: (values, addOn, version) => renderedChart(chart, source, values, addOn, version),
  };
}

function renderedChart(
  chart: Chart,
  { strict }: ManifestSource,
  { values, installNamespace }: AgentValues,
  addOn: string,
  version: string,
): SourceObjects {
  const { manifests, faults } = renderChart(chart, {
    values,
    release: { name: addOn, namespace: installNamespace },
    capabilities: { kubeVersion: { version } },
    strict,
  });
  const first = faults.find(isError);
  return first === undefined ? { objects: manifests } : chartFault(first);
}

function loadedTemplates(source: ManifestSource): LoadedSource | RenderFault {
  const templates = GoTemplates.parse(source.files);
  if ('error' in templates) return templates;
  return {
    source,
    readsClusterName: readsName(source.files),
    render: ({ values }) => {
      const objects = templates.render(values);
      return 'error' in objects ? objects : { objects };
    },
  };
}

const mentions = /clusterName/i;
/** The values as a whole, or an argument that is the whole data: they contain the name, too. */
const wholeData = /\.Values(?![.\w])|\{\{-?\s*[.$]\s*[|}]|\s[.$](?=\s*[)|}])/;
const withArguments = /\b(?:include|template|tpl)\s+(?:"[^"]*"|\S+)\s+[.$](?=\s*[)|}-])/g;

/**
 * Whether a template can read the name of the cluster. Templates that get the whole data as an argument are themselves among the
 * files.
 */
function readsName(files: ReadonlyMap<string, Uint8Array>): boolean {
  return [...files].some(([file, bytes]) => {
    if (file === 'Chart.yaml' || file === 'values.yaml') return false;
    const text = textOf(bytes);
    return mentions.test(text) || wholeData.test(text.replaceAll(withArguments, ''));
  });
}

function isError({ code }: ChartFault): boolean {
  return codes[code].severity === 'error';
}

function chartFault(fault: ChartFault | undefined): RenderFault {
  if (fault === undefined) return { error: 'the chart cannot be loaded', code: 'FW6036' };
  const { code, message, file, line, column, hint } = fault;
  const place = [file, line].filter((part) => part !== undefined).join(':');
  const location = [file, line, column].filter((part) => part !== undefined).join(':');
  return {
    // Most messages of Helm have the location.
    error: location === '' || message.includes(place) ? message : `${location}: ${message}`,
    code,
    ...(hint === undefined ? {} : { hint }),
  };
}
