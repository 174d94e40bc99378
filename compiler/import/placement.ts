import type {
  PlacementV1beta1,
  PlacementV1beta1ClusterPredicate,
  PlacementV1beta1DecisionGroup,
  PlacementV1beta1GroupClusterSelector,
  PlacementV1beta1PrioritizerConfig,
  PlacementV1beta1Toleration,
} from '../../schemas/types.gen.ts';
import type { FieldPath } from '../field-path.ts';
import { unavailableTaint, unreachableTaint } from '../place/clusters.ts';
import { all } from './all.ts';
import type { Context } from './context.ts';
import { seconds } from './duration.ts';
import {
  at,
  call,
  create,
  list,
  literal,
  name,
  object,
  plain,
  unlessEmptyObject,
  type Expression,
  type Item,
  type Statement,
} from './expression.ts';
import { metadataProps, metadataStatements } from './metadata.ts';
import { patch } from './patch.ts';
import { isShare } from './rollout.ts';
import { claimSelector, labelSelector } from './selector.ts';

/** `new Placement(…)`. */
export function writePlacement(
  placement: PlacementV1beta1,
  context: Context,
): readonly Statement[] | undefined {
  const { place } = context;
  const {
    clusterSets,
    numberOfClusters,
    predicates,
    tolerations,
    prioritizerPolicy,
    decisionStrategy,
    ...rest
  } = placement.spec ?? {};
  const { sortBy = 'ClusterName', scoreRateLimit = '1m', ...others } = rest;
  const groupStrategy = decisionStrategy?.groupStrategy;
  const share = groupStrategy?.clustersPerDecisionGroup;
  if (share !== undefined && !isShare(share)) return undefined;
  const written = {
    predicates: all(predicates, ['spec', 'predicates'], predicate),
    tolerations: all(tolerations, ['spec', 'tolerations'], toleration),
    prioritizers: all(
      prioritizerPolicy?.configurations,
      ['spec', 'prioritizerPolicy', 'configurations'],
      prioritizer,
    ),
    decisionGroups: all(
      groupStrategy?.decisionGroups,
      ['spec', 'decisionStrategy', 'groupStrategy', 'decisionGroups'],
      (group, path) => {
        const variable = context.decisionGroup(
          { namespace: placement.metadata.namespace ?? '', name: placement.metadata.name ?? '' },
          group.groupName,
        );
        return variable === undefined ? decisionGroup(group, path) : name(variable);
      },
    ),
  };
  if (Object.values(written).includes('unsayable')) return undefined;
  const props = object({
    ...metadataProps(placement, place),
    clusterSets: at(
      ['spec', 'clusterSets'],
      clusterSets &&
        list(
          clusterSets.map((set, index): Item => ({
            value: context.clusterSet(set),
            path: ['spec', 'clusterSets', index],
          })),
        ),
    ),
    numberOfClusters: at(
      ['spec', 'numberOfClusters'],
      numberOfClusters === undefined ? undefined : literal(numberOfClusters),
    ),
    predicates: at(['spec', 'predicates'], given(written.predicates)),
    tolerations: at(['spec', 'tolerations'], given(written.tolerations)),
    prioritizerMode: at(
      ['spec', 'prioritizerPolicy', 'mode'],
      prioritizerPolicy?.mode === undefined || prioritizerPolicy.mode === 'Additive'
        ? undefined
        : literal(prioritizerPolicy.mode),
    ),
    prioritizers: at(['spec', 'prioritizerPolicy'], given(written.prioritizers)),
    decisionGroups: at(['spec', 'decisionStrategy'], given(written.decisionGroups)),
    clustersPerDecisionGroup: at(
      ['spec', 'decisionStrategy', 'groupStrategy', 'clustersPerDecisionGroup'],
      // beside groups the API server fills in 100%
      share === undefined || (share === '100%' && written.decisionGroups !== undefined)
        ? undefined
        : literal(share),
    ),
  });
  const patches = {
    ...others,
    ...(sortBy !== 'ClusterName' && { sortBy }),
    ...(scoreRateLimit !== '1m' && { scoreRateLimit }),
  };
  return [
    {
      name: place.variable,
      value: create('Placement', name(place.chart), literal(place.id), unlessEmptyObject(props)),
    },
    ...metadataStatements(placement, context),
    ...Object.entries(patches).map(([field, value]) => patch(place.variable, ['spec', field], value)),
  ];
}

function given(value: Expression | 'unsayable' | undefined): Expression | undefined {
  return value === 'unsayable' ? undefined : value;
}

function predicate(
  { requiredClusterSelector: { celSelector, ...selector } = {} }: PlacementV1beta1ClusterPredicate,
  path: FieldPath,
): Expression | undefined {
  const below = [...path, 'requiredClusterSelector'];
  const selected = clusterSelector(selector, below);
  if (selected === undefined) return undefined;
  const expressions = celSelector?.celExpressions;
  if (celSelector !== undefined && expressions === undefined) return undefined;
  const cel = [...below, 'celSelector', 'celExpressions'];
  return object({ ...selected, cel: at(cel, expressions && plain(expressions, cel)) });
}

function clusterSelector(
  { labelSelector: labels, claimSelector: claims, ...others }: PlacementV1beta1GroupClusterSelector,
  path: FieldPath,
): Parameters<typeof object>[0] | undefined {
  const labelPath = [...path, 'labelSelector'];
  const claimPath = [...path, 'claimSelector'];
  const written = {
    labels: at(labelPath, labels && labelSelector(labels, labelPath)),
    claims: at(claimPath, claims && claimSelector(claims, claimPath)),
  };
  const isLost =
    (labels !== undefined && written.labels === undefined) ||
    (claims !== undefined && written.claims === undefined);
  return isLost || Object.keys(others).length > 0 ? undefined : written;
}

/** `DecisionGroup.named(…)`. */
export function decisionGroup(
  { groupName, groupClusterSelector }: PlacementV1beta1DecisionGroup,
  path: FieldPath,
): Expression | undefined {
  const selector = clusterSelector(groupClusterSelector, [...path, 'groupClusterSelector']);
  return selector && call('DecisionGroup', 'named', literal(groupName), object(selector));
}

const wellKnownTaints: ReadonlyMap<string, string> = new Map([
  [unreachableTaint, 'unreachable'],
  [unavailableTaint, 'unavailable'],
]);

function toleration(toleration: PlacementV1beta1Toleration): Expression | undefined {
  const { key, operator = 'Equal', value, effect, tolerationSeconds, ...others } = toleration;
  const duration = tolerationSeconds === undefined ? undefined : seconds(tolerationSeconds);
  const isLost = tolerationSeconds !== undefined && duration === undefined;
  if (isLost || Object.keys(others).length > 0) return undefined;
  const options = unlessEmptyObject(object({ effect: effect && literal(effect), duration }));
  if (operator === 'Equal') {
    if (key === undefined || value === undefined) return undefined;
    return call('Toleration', 'equal', literal(key), literal(value), options);
  }
  if (operator !== 'Exists' || value !== undefined) return undefined;
  if (key === undefined) return call('Toleration', 'everything', options);
  const known = wellKnownTaints.get(key);
  if (known !== undefined) return call('Toleration', known, options);
  return call('Toleration', 'exists', literal(key), options);
}

const builtIns: ReadonlyMap<string, string> = new Map([
  ['Balance', 'balance'],
  ['Steady', 'steady'],
  ['ResourceAllocatableCPU', 'allocatableCpu'],
  ['ResourceAllocatableMemory', 'allocatableMemory'],
]);

function prioritizer(config: PlacementV1beta1PrioritizerConfig): Expression | undefined {
  const { scoreCoordinate, weight = 1, ...others } = config;
  if (scoreCoordinate === undefined || Object.keys(others).length > 0) return undefined;
  const { type, builtIn, addOn, ...more } = scoreCoordinate;
  if (Object.keys(more).length > 0) return undefined;
  if (type === 'AddOn' && addOn !== undefined && builtIn === undefined) {
    const { resourceName, scoreName } = addOn;
    return call('Prioritizer', 'addOnScore', literal(resourceName), literal(scoreName), literal(weight));
  }
  const method = builtIns.get(builtIn ?? '');
  if (type !== 'BuiltIn' || method === undefined || addOn !== undefined) return undefined;
  return call('Prioritizer', method, literal(weight));
}
