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
  const servers = serversByName(context.clusters);
  return statuses
    .flatMap(({ decisions }) => decisions ?? [])
    .flatMap((decision): Parameters[] => {
      const fields = new Map(Object.entries(decision).map(([key, value]) => [key, String(value)]));
      const name = fields.get(matchKey) ?? '';
      const server = servers.get(name);
      if (name === '' || server === undefined) return [];
      const parameters: Parameters = new Map([['name', name], ['server', server], ...fields]);
      addValues(textsIn(generator['values']), parameters, context.replacement);
      return [parameters];
    });
}

const knownServers = new WeakMap<GeneratorContext['clusters'], ReadonlyMap<string, string>>();

/** The servers by the name of the cluster, with the cluster of Argo CD itself. Generators of one namespace share them. */
function serversByName(clusters: GeneratorContext['clusters']): ReadonlyMap<string, string> {
  return getOrInsertComputed(knownServers, clusters, () => serversOf(clusters));
}

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
