import { isJsonList, isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import type { LabelSelector, LabelSelectorRequirement } from '../../../schemas/types.gen.ts';
import type { LayerScope } from './model.ts';
import type { WrittenLayer } from './written-objects.ts';

/** Returns the clusters of a layer. Undefined if it has several scopes. */
export function scopeOf(written: WrittenLayer): LayerScope | undefined {
  const { hub, placement, where, claims, sets, cluster, clusters } = written;
  const selects = where !== undefined || claims !== undefined || sets !== undefined;
  const names = cluster === undefined ? clusters : [cluster, ...(clusters ?? [])];
  const scopes = [hub, placement, selects ? where : undefined, names].filter(
    (scope, index) => scope !== undefined || (index === 2 && selects),
  );
  if (scopes.length > 1) return undefined;
  if (hub !== undefined) return { rank: 'hub', hub: hub === '*' ? undefined : hub };
  if (placement !== undefined) return { rank: 'placement', placement };
  if (names !== undefined) return { rank: 'cluster', clusters: names };
  if (!selects) return { rank: 'add-on' };
  return {
    rank: 'where',
    where: {
      ...(where !== undefined && { labels: selectorOf(where) }),
      ...(claims !== undefined && { claims: selectorOf(claims) }),
      ...(sets !== undefined && { sets }),
    },
  };
}

/** Returns a selector in Kubernetes' form: pairs may have a list of values. */
function selectorOf(written: JsonMap): LabelSelector {
  const { matchLabels, matchExpressions, ...pairs } = written;
  const labels: Record<string, string> = {};
  const expressions: LabelSelectorRequirement[] = [];
  const add = (entries: JsonMap): void => {
    for (const [key, value] of Object.entries(entries))
      if (typeof value === 'string') labels[key] = value;
      else if (isJsonList(value)) expressions.push({ key, operator: 'In', values: value.map(String) });
  };
  add(pairs);
  if (isJsonMap(matchLabels)) add(matchLabels);
  else if (matchLabels !== undefined) add({ matchLabels });
  if (isJsonList(matchExpressions))
    expressions.push(...(matchExpressions as readonly LabelSelectorRequirement[]));
  return {
    ...(Object.keys(labels).length > 0 && { matchLabels: labels }),
    ...(expressions.length > 0 && { matchExpressions: expressions }),
  };
}

/** Returns a scope as reports name it. */
export function titleOf(scope: LayerScope): string {
  switch (scope.rank) {
    case 'default':
    case 'add-on':
      return scope.rank;
    case 'hub':
      return scope.hub === undefined ? 'hub' : `hub ${scope.hub}`;
    case 'placement':
      return `placement ${scope.placement}`;
    case 'cluster':
      return scope.clusters.length === 1
        ? `cluster ${scope.clusters[0]}`
        : `clusters ${scope.clusters.join(', ')}`;
    case 'where': {
      const { labels, claims, sets } = scope.where;
      const texts = [
        ...(labels === undefined ? [] : selectorTexts(labels, '')),
        ...(claims === undefined ? [] : selectorTexts(claims, 'claim ')),
        ...(sets === undefined ? [] : [`set ${sets.join(' or ')}`]),
      ];
      return texts.length === 0 ? 'where' : texts.join(', ');
    }
    default:
      throw new Error(`no title for ${String(scope satisfies never)}`);
  }
}

function selectorTexts({ matchLabels = {}, matchExpressions = [] }: LabelSelector, prefix: string): string[] {
  return [
    ...Object.entries(matchLabels).map(([key, value]) => `${prefix}${key}=${value}`),
    ...matchExpressions.map(({ key, operator, values = [] }) => {
      if (operator === 'In') return `${prefix}${key}=${values.join('|')}`;
      if (operator === 'NotIn') return `${prefix}${key}!=${values.join('|')}`;
      return operator === 'Exists' ? `${prefix}${key}` : `${prefix}!${key}`;
    }),
  ];
}
