import { present } from '../../hub/differential/random.ts';
import {
  defaults,
  type Cluster,
  type Labels,
  type Layer,
  type Parts,
  type Values,
} from './random-layering.ts';

/** The definition of layers, cluster by cluster and layer by layer. */
export function evaluateLayers(parts: Parts): ReadonlyMap<string, Values> {
  const expected = new Map<string, Values>();
  for (const cluster of parts.clusters) {
    const selecting = parts.placements.filter(({ labels }) => hasLabels(cluster.labels, labels));
    if (selecting.length === 0) continue;
    let merged: unknown = defaults;
    for (const { values } of layersOf(cluster, parts)) merged = mergedValue(merged, values);
    expected.set(cluster.name, computedValues(merged as Readonly<Record<string, unknown>>, cluster));
  }
  return expected;
}

const ranks = ['hub', 'add-on', 'placement', 'where', 'cluster'];

/** Returns the layers that apply to a cluster, weakest first. */
function layersOf(cluster: Cluster, { sets, placements, layers }: Parts): readonly Layer[] {
  const position = ({ scope }: Layer): number =>
    ranks.indexOf(scope.rank) * 100 +
    (scope.rank === 'placement' ? placements.findIndex(({ name }) => name === scope.placement) : 0);
  const isIn = (
    groups: readonly { readonly name: string; readonly labels: Labels }[],
    name: string,
  ): boolean => groups.some((group) => group.name === name && hasLabels(cluster.labels, group.labels));
  return layers
    .filter(({ scope }) => {
      switch (scope.rank) {
        case 'hub':
          return scope.hub === '*';
        case 'add-on':
          return true;
        case 'placement':
          return isIn(placements, scope.placement);
        case 'where':
          return (
            hasLabels(cluster.labels, scope.where ?? {}) &&
            hasLabels(cluster.claims, scope.claims ?? {}) &&
            (scope.sets?.some((set) => isIn(sets, set)) ?? true)
          );
        case 'cluster':
          return scope.clusters.includes(cluster.name);
        default:
          throw new Error(`no layers of ${String(scope satisfies never)}`);
      }
    })
    .toSorted((a, b) => position(a) - position(b));
}

function hasLabels(labels: Labels, required: Readonly<Record<string, string | readonly string[]>>): boolean {
  return Object.entries(required).every(([key, value]) => [value].flat().includes(labels[key] ?? ''));
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mergedValue(before: unknown, value: unknown): unknown {
  if (!isMap(value) || '$fact' in value || '$text' in value) return value;
  if ('$replace' in value) return value['$replace'];
  if ('$append' in value)
    return [...((before as unknown[] | undefined) ?? []), ...(value['$append'] as unknown[])];
  const result: Record<string, unknown> = isMap(before) ? { ...before } : {};
  for (const [key, item] of Object.entries(value)) {
    if (item === null) delete result[key];
    else result[key] = mergedValue(result[key], item);
  }
  return result;
}

function computedValues(merged: Readonly<Record<string, unknown>>, cluster: Cluster): Values {
  const count = countOf(merged['COUNT'], cluster);
  const { nodeSelector } = (merged['nodes'] ?? {}) as { readonly nodeSelector?: Record<string, string> };
  return present({
    LEVEL: merged['LEVEL'] as string | undefined,
    COUNT: count,
    PORTS: merged['PORTS'] as number[],
    URL: isMap(merged['URL']) ? urlOf(String(merged['URL']['$text']), count, cluster) : undefined,
    nodes: nodeSelector,
  });
}

function countOf(value: unknown, { labels, cpu }: Cluster): number {
  if (!isMap(value)) return value as number;
  const key = String(value['$fact']).slice('cluster.labels.'.length);
  if (value['$fact'] === 'cluster.allocatable.cpu') return cpu === '8' ? 8 : 16.5;
  return Number(labels[key] ?? value['$default']);
}

function urlOf(text: string, count: number, { labels, claims, version }: Cluster): string {
  const facts = new Map<string, string>([
    ['parameters.COUNT', String(count)],
    ['cluster.version', version],
    ['cluster.set', 'default'],
    ...Object.entries(labels).map(([key, value]) => [`cluster.labels.${key}`, value] as const),
    ...Object.entries(claims).map(([key, value]) => [`cluster.claims.${key}`, value] as const),
  ]);
  return text.replaceAll(/\$\{([^}]*)\}/g, (_expression, fact: string) => facts.get(fact) ?? 'unknown fact');
}
