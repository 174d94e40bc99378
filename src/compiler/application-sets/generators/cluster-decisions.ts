import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import type { LabelSelector, PlacementDecisionV1beta1 } from '../../../../schemas/types.gen.ts';
import { textAt } from '../../api/placement-references.ts';
import { compileLabelSelector, matchesLabels } from '../../place/label-selector.ts';
import { localName, localServer } from '../argo-cd-clusters.ts';
import { ControllerPanic, GenerationError, noDecisions, UnansweredError } from '../generation-error.ts';
import type { Parameters } from '../parameters.ts';
import { textsIn, type GeneratorContext } from './context.ts';
import { addValues } from './templated-values.ts';

/** The ConfigMap that the controller of GitOpsClusters creates for Placements. */
const placementConfig: JsonMap = {
  apiVersion: 'cluster.open-cluster-management.io/v1beta1',
  kind: 'placementdecisions',
  statusListKey: 'decisions',
  matchKey: 'clusterName',
};

/**
 * Returns the parameters of a `clusterDecisionResource` generator: one set for each decision whose cluster Argo CD knows by this
 * name. As DuckTypeGenerator of Argo CD.
 *
 * @throws {GenerationError} if no PlacementDecision matches
 */
export function decidedParameters(generator: JsonMap, context: GeneratorContext): Parameters[] {
  const config = context.configMap(textAt(generator, ['configMapRef']) ?? '') ?? placementConfig;
  const { kind, apiVersion, statusListKey = 'clusters', matchKey } = config;
  if (kind === 'placementrules')
    throw new UnansweredError('the clusterDecisionResource generator of PlacementRules');
  if (kind !== 'placementdecisions' || String(apiVersion).indexOf('/') < 1)
    throw new UnansweredError(`the clusterDecisionResource generator of ${String(kind)}`);
  const selected = selectedDecisions(generator, context.decisions);
  if (selected.length === 0) throw new GenerationError(noDecisions);
  if (typeof matchKey !== 'string' || matchKey === '') return [];
  const statuses = selected.flatMap(({ status }) => (status === undefined ? [] : [status]));
  if (statuses.length > 0 && statusListKey !== 'decisions')
    throw new ControllerPanic(`PlacementDecisions have no status.${String(statusListKey)}`);
  const values = textsIn(generator['values']);
  const parametersOf = parametersByDecision(context.clusters, matchKey);
  return statuses
    .flatMap(({ decisions }) => decisions ?? [])
    .flatMap((decision): Parameters[] => {
      const shared = parametersOf(decision);
      if (shared.size === 0) return [];
      if (values.length === 0) return [shared];
      const parameters = new Map(shared);
      addValues(values, parameters, context.replacement);
      return [parameters];
    });
}

type ClusterDecision = NonNullable<NonNullable<PlacementDecisionV1beta1['status']>['decisions']>[number];

/** Returns the parameters of a decision without `values`; none if Argo CD does not know the cluster. */
type ParametersOfDecision = (decision: ClusterDecision) => Parameters;

const byMatchKey = new WeakMap<GeneratorContext['clusters'], Map<string, ParametersOfDecision>>();

/** Returns what the generators of one namespace share: they often read the same thousands of decisions. */
function parametersByDecision(
  clusters: GeneratorContext['clusters'],
  matchKey: string,
): ParametersOfDecision {
  const shared = getOrInsertComputed(byMatchKey, clusters, () => new Map());
  return getOrInsertComputed(shared, matchKey, () => {
    const servers = serversOf(clusters);
    const computed = new Map<ClusterDecision, Parameters>();
    return (decision) =>
      getOrInsertComputed(computed, decision, () => decisionParameters(decision, matchKey, servers));
  });
}

function decisionParameters(
  decision: ClusterDecision,
  matchKey: string,
  servers: ReadonlyMap<string, string>,
): Parameters {
  const fields = Object.entries(decision).map(([key, value]) => [key, String(value)] as const);
  const name = fields.find(([key]) => key === matchKey)?.[1] ?? '';
  const server = servers.get(name);
  return new Map(name === '' || server === undefined ? [] : [['name', name], ['server', server], ...fields]);
}

/** The servers by the name of the cluster, with the cluster of Argo CD itself. */
function serversOf(clusters: GeneratorContext['clusters']): ReadonlyMap<string, string> {
  const servers = new Map(Array.from(clusters.values(), ({ name, server }) => [name, server]));
  const hasLocal = servers.has(localName) || [...servers.values()].includes(localServer);
  return hasLocal ? servers : servers.set(localName, localServer);
}

function selectedDecisions(
  { name = '', labelSelector }: JsonMap,
  decisions: readonly PlacementDecisionV1beta1[],
): readonly PlacementDecisionV1beta1[] {
  const selector = isJsonMap(labelSelector) ? (labelSelector as LabelSelector) : {};
  const hasSelector = selector.matchLabels !== undefined || selector.matchExpressions !== undefined;
  if ((name === '') === !hasSelector)
    throw new GenerationError(
      'there is a problem with the definition of the ClusterDecisionResource generator',
    );
  if (name !== '') return decisions.filter(({ metadata }) => metadata.name === name);
  const compiled = compileLabelSelector(selector);
  if ('error' in compiled) throw new GenerationError(`failed to get dynamic resources: ${compiled.error}`);
  return decisions.filter(({ metadata }) => matchesLabels(compiled, metadata.labels ?? {}));
}
