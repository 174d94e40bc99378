import type {
  PlacementV1beta1,
  PlacementV1beta1ClusterPredicate,
  PlacementV1beta1DecisionGroup,
  PlacementV1beta1GroupClusterSelector,
  PlacementV1beta1PrioritizerConfig,
  PlacementV1beta1Toleration,
} from '../../../schemas/types.gen.ts';
import type { FieldPath } from '../../compiler/model/field-path.ts';
import { unavailableTaint, unreachableTaint } from '../../compiler/place/clusters.ts';
import { listExpression } from '../code/list-expression.ts';
import type { Context } from '../context.ts';
import { seconds } from './duration.ts';
import {
  at,
  call,
  create,
  literal,
  name,
  object,
  plain,
  unlessEmptyList,
  unlessEmptyObject,
  type Expression,
  type Statement,
} from '../code/expression.ts';
import { metadataProps, metadataStatements } from './metadata.ts';
import { isShare } from './rollout.ts';
import { claimSelector, labelSelector } from './selector.ts';

/** Writes `new Placement(…)`. */
export function writePlacement(placement: PlacementV1beta1, context: Context): readonly Statement[] {
  const { location } = context;
  const { clusterSets, numberOfClusters, predicates, tolerations, prioritizerPolicy, decisionStrategy } =
    placement.spec ?? {};
  const { mode, configurations } = prioritizerPolicy ?? {};
  const groupStrategy = decisionStrategy?.groupStrategy;
  const share = groupStrategy?.clustersPerDecisionGroup;
  const prioritizers = unlessEmptyList(
    listExpression(configurations, ['spec', 'prioritizerPolicy', 'configurations'], prioritizer),
  );
  const { namespace = '', name: placementName = '' } = placement.metadata;
  const groupsPath = ['spec', 'decisionStrategy', 'groupStrategy', 'decisionGroups'];
  const decisionGroups = unlessEmptyList(
    listExpression(groupStrategy?.decisionGroups, groupsPath, (group, path) => {
      const variable = context.decisionGroup({ namespace, name: placementName }, group.groupName);
      return variable === undefined ? decisionGroup(group, path) : name(variable);
    }),
  );
  const props = object({
    ...metadataProps(placement, location),
    clusterSets: at(
      ['spec', 'clusterSets'],
      unlessEmptyList(listExpression(clusterSets, ['spec', 'clusterSets'], (set) => context.clusterSet(set))),
    ),
    numberOfClusters: at(
      ['spec', 'numberOfClusters'],
      numberOfClusters === undefined ? undefined : literal(numberOfClusters),
    ),
    predicates: at(
      ['spec', 'predicates'],
      unlessEmptyList(listExpression(predicates, ['spec', 'predicates'], predicate)),
    ),
    tolerations: at(
      ['spec', 'tolerations'],
      unlessEmptyList(listExpression(tolerations, ['spec', 'tolerations'], toleration)),
    ),
    prioritizerMode: at(
      ['spec', 'prioritizerPolicy', 'mode'],
      // with prioritizers, the construct sets Additive
      mode === undefined || (mode === 'Additive' && prioritizers !== undefined) ? undefined : literal(mode),
    ),
    prioritizers: at(['spec', 'prioritizerPolicy'], prioritizers),
    decisionGroups: at(['spec', 'decisionStrategy'], decisionGroups),
    clustersPerDecisionGroup: at(
      ['spec', 'decisionStrategy', 'groupStrategy', 'clustersPerDecisionGroup'],
      // with groups, the API server sets 100%
      share === undefined || !isShare(share) || (share === '100%' && decisionGroups !== undefined)
        ? undefined
        : literal(share),
    ),
  });
  return [
    {
      name: location.variable,
      value: create('Placement', name(location.chart), literal(location.id), unlessEmptyObject(props)),
    },
    ...metadataStatements(placement, context),
  ];
}

function predicate(
  { requiredClusterSelector: { celSelector, ...selector } = {} }: PlacementV1beta1ClusterPredicate,
  path: FieldPath,
): Expression {
  const below = [...path, 'requiredClusterSelector'];
  const cel = [...below, 'celSelector', 'celExpressions'];
  const expressions = celSelector?.celExpressions;
  return object({
    ...clusterSelector(selector, below),
    cel: at(cel, unlessEmptyList(expressions && plain(expressions, cel))),
  });
}

function clusterSelector(
  { labelSelector: labels, claimSelector: claims }: PlacementV1beta1GroupClusterSelector,
  path: FieldPath,
): Parameters<typeof object>[0] {
  const labelPath = [...path, 'labelSelector'];
  const claimPath = [...path, 'claimSelector'];
  return {
    labels: at(labelPath, labels && labelSelector(labels, labelPath)),
    claims: at(claimPath, claims && claimSelector(claims, claimPath)),
  };
}

/** Writes `DecisionGroup.named(…)`. */
export function decisionGroup(
  { groupName, groupClusterSelector }: PlacementV1beta1DecisionGroup,
  path: FieldPath,
): Expression {
  const selector = clusterSelector(groupClusterSelector, [...path, 'groupClusterSelector']);
  return call('DecisionGroup', 'named', literal(groupName), object(selector));
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
    if (key === undefined) return undefined;
    return call(
      'Toleration',
      'equal',
      literal(key),
      value === undefined ? undefined : literal(value),
      options,
    );
  }
  if (operator !== 'Exists' || value !== undefined) return undefined;
  if (key === undefined) return call('Toleration', 'everything', options);
  const taint = wellKnownTaints.get(key);
  if (taint !== undefined) return call('Toleration', taint, options);
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
