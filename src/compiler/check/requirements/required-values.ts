import { addToGroup } from '../../../base/collections/groups.ts';
import type { Value } from '../../../engines/gotemplate/index.ts';
import type { AddOnClusters } from '../../configure/add-on-clusters.ts';
import type { ResolvedAddOn } from '../../configure/resolved-add-on.ts';
import { quote } from '../../model/words.ts';
import { plainValue } from '../../render/agent-values/go-values.ts';
import type { RenderGroup } from '../../render/render-result.ts';
import type { RuleInput } from '../rule.ts';

/** The word for the values of charts, where conditions on fields have the plural of a kind. */
export const valuesResource = 'values';

/** A value of the charts of an add-on on some clusters, or why it is unknown. */
export type FoundValue = { readonly clusters: readonly string[] } & (
  { readonly unknown: string } | { readonly object: string; readonly value?: string }
);

/**
 * Returns what the templates of the charts of an add-on see at a path of `.Values` on the clusters of an add-on that requires it. Charts
 * without the value do not count if another chart of the add-on has it.
 */
export function* findValues(
  path: string,
  required: ResolvedAddOn,
  dependents: AddOnClusters,
  { rendering }: Pick<RuleInput, 'rendering'>,
): Iterable<FoundValue> {
  const rest = new Set([...dependents.keys()].filter((cluster) => required.clusters.has(cluster)));
  for (const group of rendering.groups) {
    if (group.addOn !== required.name || !group.manifests.hasSources) continue;
    for (const clusters of classesOf(path, group, rest)) {
      for (const cluster of clusters) rest.delete(cluster);
      for (const found of valuesOn(path, group, clusters[0] ?? '')) yield { clusters, ...found };
    }
  }
  if (rest.size > 0)
    yield {
      clusters: [...rest],
      unknown: `the compiler renders no chart of ${quote(required.name)}: it renders those of compiled delivery only`,
    };
}

/** Returns the clusters of a group, those with equal values together. */
function classesOf(
  path: string,
  { clusters, manifests }: RenderGroup,
  wanted: ReadonlySet<string>,
): Iterable<readonly string[]> {
  const classes = new Map<string, string[]>();
  const isOwn = /^clusterName(?:\.|$)/.test(path);
  for (const cluster of clusters)
    if (wanted.has(cluster)) addToGroup(classes, isOwn ? cluster : manifests.classOf(cluster).key, cluster);
  return classes.values();
}

type ValueOfCharts = { readonly unknown: string } | { readonly object: string; readonly value?: string };

function valuesOn(path: string, { manifests }: RenderGroup, cluster: string): readonly ValueOfCharts[] {
  const read = manifests.chartValues(cluster);
  const fault = read.find((each) => 'error' in each);
  if (fault !== undefined && 'error' in fault) return [{ unknown: `it cannot be rendered: ${fault.error}` }];
  const charts = read.flatMap((each) =>
    'error' in each ? [] : [{ object: `chart ${quote(each.chart)}`, value: textAt(each.values, path) }],
  );
  const withValue = charts.flatMap(({ object, value }) => (value === undefined ? [] : [{ object, value }]));
  if (withValue.length > 0) return withValue;
  const [first] = charts;
  return first === undefined ? [{ unknown: 'it has no chart' }] : [{ object: first.object }];
}

/** Returns a scalar as text, anything else as JSON. */
function textAt(values: Value, path: string): string | undefined {
  let value = plainValue(values);
  for (const name of path.split('.'))
    value = value instanceof Map ? value.get(name) : Array.isArray(value) ? value[Number(name)] : undefined;
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(asJson(value));
}

function asJson(value: Value): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, each]) => [key, asJson(each)]));
  return Array.isArray(value) ? value.map(asJson) : value;
}
