import { createHash } from 'node:crypto';
import type {
  LabelSelector,
  LabelSelectorRequirement,
  PlacementV1beta1,
} from '../../../schemas/types.gen.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { schedulingDisabledAnnotation } from '../../ocm/annotations.ts';
import { parametersOfAnnotation } from '../../ocm/fleetwright-annotations.ts';
import { requirements } from './group-conditions.ts';
import type { LayerCondition } from './model.ts';

/** Clusters of a placement with the same separate configuration. */
export interface ClusterGroup {
  readonly addOn: string;
  /** The group in the name of the Placement. */
  readonly title: string;
  readonly clusters: readonly string[];
  /** The condition that selects the clusters among those of the placement. @default - their names */
  readonly condition?: LayerCondition | undefined;
}

/** Whether a Placement can select a part of the clusters of another one. */
export function canBeDivided({ metadata, spec }: PlacementV1beta1): boolean {
  return (
    spec.numberOfClusters === undefined && metadata.annotations?.[schedulingDisabledAnnotation] !== 'true'
  );
}

/**
 * Returns a Placement that selects the clusters of the group if and only if the other Placement selects them: it has the sets,
 * predicates, tolerations and decision groups of that Placement.
 */
export function groupPlacement(
  { apiVersion, kind, metadata, spec }: PlacementV1beta1,
  group: ClusterGroup,
): KubernetesObject {
  const { clusterSets, predicates = [], tolerations, decisionStrategy } = spec;
  const { namespace = '', name = '' } = metadata;
  const alternatives = predicates.length === 0 ? [{}] : predicates;
  const parts = group.condition === undefined ? namedClusters(group.clusters) : [selectorOf(group.condition)];
  return {
    apiVersion,
    kind,
    metadata: {
      namespace,
      name: placementName(group, { namespace, name }),
      annotations: { [parametersOfAnnotation]: ownerOf(group) },
    },
    spec: {
      ...(clusterSets === undefined ? {} : { clusterSets }),
      predicates: alternatives.flatMap(({ requiredClusterSelector = {} }) =>
        parts.map((part) => ({ requiredClusterSelector: both(requiredClusterSelector, part) })),
      ),
      ...(tolerations === undefined ? {} : { tolerations }),
      ...(decisionStrategy === undefined ? {} : { decisionStrategy }),
    },
  };
}

interface ClusterSelector {
  readonly labelSelector?: LabelSelector;
  readonly claimSelector?: { readonly matchExpressions?: readonly LabelSelectorRequirement[] };
  readonly celSelector?: { readonly celExpressions?: readonly string[] };
}

/** The hub limits the cost of an expression, which grows with the names in it. */
const namesPerExpression = 100;

function namedClusters(clusters: readonly string[]): ClusterSelector[] {
  const selectors: ClusterSelector[] = [];
  for (let start = 0; start < clusters.length; start += namesPerExpression) {
    const names = clusters.slice(start, start + namesPerExpression);
    const [only] = names;
    const expression =
      names.length === 1
        ? `managedCluster.metadata.name == ${JSON.stringify(only)}`
        : `managedCluster.metadata.name in ${JSON.stringify(names)}`;
    selectors.push({ celSelector: { celExpressions: [expression] } });
  }
  return selectors;
}

function selectorOf({ labels, claims }: LayerCondition): ClusterSelector {
  return {
    ...(labels !== undefined && {
      labelSelector: { matchExpressions: requirements(labels) },
    }),
    ...(claims !== undefined && {
      claimSelector: { matchExpressions: requirements(claims) },
    }),
  };
}

function both(base: ClusterSelector, part: ClusterSelector): ClusterSelector {
  const labels = part.labelSelector?.matchExpressions ?? [];
  const claims = part.claimSelector?.matchExpressions ?? [];
  const cel = part.celSelector?.celExpressions ?? [];
  return {
    ...base,
    ...(labels.length > 0 && {
      labelSelector: {
        ...base.labelSelector,
        matchExpressions: [...(base.labelSelector?.matchExpressions ?? []), ...labels],
      },
    }),
    ...(claims.length > 0 && {
      claimSelector: { matchExpressions: [...(base.claimSelector?.matchExpressions ?? []), ...claims] },
    }),
    ...(cel.length > 0 && {
      celSelector: { celExpressions: [...(base.celSelector?.celExpressions ?? []), ...cel] },
    }),
  };
}

/** Decisions have the name of their Placement in a label, whose maximum length is 63 characters. */
const longestName = 63;
const digits = 8;

/** Add-ons with equal groups share a Placement. Names of clusters are those of one add-on, and change with its layers. */
function ownerOf({ addOn, title, condition }: ClusterGroup): string {
  return condition === undefined ? `${title}/${addOn}` : title;
}

function placementName(
  group: ClusterGroup,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): string {
  const { addOn, title, condition } = group;
  const content = condition === undefined ? [addOn, title] : [title, condition];
  const hash = createHash('sha256')
    .update(JSON.stringify([...content, `${namespace}/${name}`]))
    .digest('hex');
  const readable = `${condition === undefined ? addOn : name}-${title}`
    .slice(0, longestName - digits - 1)
    .replace(/[.-]+$/, '');
  return `${readable}-${hash.slice(0, digits)}`;
}
