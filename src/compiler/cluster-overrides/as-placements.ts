import type {
  ClusterManagementAddOnV1beta1,
  ClusterManagementAddOnV1beta1PlacementStrategy,
  ManagedClusterAddOnV1beta1,
  PlacementV1beta1,
} from '../../../schemas/types.gen.ts';
import { overrideAnnotation } from '../../ocm/fleetwright-annotations.ts';
import { admitObject } from '../admit/admit.ts';
import { installNamespaceAnnotation } from '../admit/conversion/convert-managed-cluster-add-on.ts';
import { schedulingDisabledAnnotation } from '../../ocm/annotations.ts';
import { referentKey } from '../../ocm/referent.ts';
import type { FieldPath } from '../model/field-path.ts';
import { installPlacements, isInstalledByPlacements } from '../../ocm/install-strategy.ts';
import { objectKey, type Admitted, type ByKey } from '../model/inventory.ts';
import type { Location, Origin } from '../model/origin.ts';
import { singleClusterPlacement } from './single-cluster-placement.ts';
import { isManagedByAddonManager } from '../../ocm/lifecycle.ts';
import { defaultInstallNamespace } from '../../ocm/install-namespace.ts';

type AddOn = Admitted<ClusterManagementAddOnV1beta1>;
type ClusterObject = Admitted<ManagedClusterAddOnV1beta1>;
type Strategy = ClusterManagementAddOnV1beta1PlacementStrategy;
type Config = NonNullable<Strategy['configs']>[number];

/** A placement of the install strategy that represents an override. */
export interface OverridePlacement {
  readonly placement: Admitted;
  readonly strategy: Strategy;
  /** The location of each of `strategy.configs`. */
  readonly locations: readonly ConfigLocation[];
}

interface ConfigLocation {
  readonly origin: Origin;
  readonly path: FieldPath;
}

/**
 * Returns an override as placements: one per placement of the add-on, which selects the cluster if and only if that placement
 * does, and has its configurations except for the kinds that the override names. So the cluster uses the same configurations as
 * with its ManagedClusterAddOn, regardless of the placements that select it now or later. Returns a text with the reason if that
 * is impossible.
 */
export function asPlacements(
  clusterAddOn: ClusterObject,
  addOn: AddOn | undefined,
  placements: ByKey<PlacementV1beta1>,
): readonly OverridePlacement[] | string {
  if (addOn?.source !== 'app') return 'its ClusterManagementAddOn is not in the same app';
  if (!isManagedByAddonManager(addOn.object)) return "the hub's addon-manager does not manage the add-on";
  if (!isInstalledByPlacements(addOn.object)) return 'the add-on is not installed by placements';
  const unsaid = inexpressiblePart(clusterAddOn.object);
  if (unsaid !== undefined) return unsaid;
  const overridePlacements: OverridePlacement[] = [];
  for (const [index, strategy] of installPlacements(addOn.object).entries()) {
    const key = objectKey(strategy.namespace, strategy.name);
    const base = placements.get(key);
    if (base === undefined) return `Placement "${key}" is not in the inputs`;
    const obstacle = obstacleOf(base.object);
    if (obstacle !== undefined) return `Placement "${key}" ${obstacle}`;
    overridePlacements.push(overridePlacement(clusterAddOn, base.object, { strategy, addOn, index }));
  }
  const taken = overridePlacements.find(({ strategy: { namespace, name } }) =>
    placements.has(objectKey(namespace, name)),
  );
  if (taken !== undefined) return `Placement "${taken.strategy.name}" already exists`;
  return overridePlacements;
}

/**
 * The annotations in v1beta1 of every ManagedClusterAddOn that was converted from v1alpha1. They contain the default of a
 * v1alpha1 field.
 */
const impliedAnnotations: Readonly<Record<string, string>> = {
  [installNamespaceAnnotation]: defaultInstallNamespace,
};

/** Returns the part of a ManagedClusterAddOn that an install strategy cannot express. */
function inexpressiblePart({ metadata, spec }: ManagedClusterAddOnV1beta1): string | undefined {
  const annotation = Object.entries(metadata.annotations ?? {}).find(
    ([name, value]) => name !== overrideAnnotation && impliedAnnotations[name] !== value,
  );
  if (annotation !== undefined) return `a placement cannot have its annotation ${annotation[0]}`;
  const [label] = Object.keys(metadata.labels ?? {});
  if (label !== undefined) return `a placement cannot have its label ${label}`;
  const configs = spec.configs ?? [];
  if (configs.length === 0) return 'it has no configuration';
  const kinds = new Set<string>();
  const names = new Set<string>();
  for (const config of configs) {
    kinds.add(kindOf(config));
    names.add(referentKey(config));
  }
  // The hub keeps the order of several configurations only if a ManagedClusterAddOn names them.
  return names.size > kinds.size ? 'it has several configurations of one kind' : undefined;
}

/** Returns why a Placement of one cluster cannot follow this one. */
function obstacleOf({ metadata, spec }: PlacementV1beta1): string | undefined {
  if (spec.numberOfClusters !== undefined) return 'chooses a number of clusters';
  const frozen = metadata.annotations?.[schedulingDisabledAnnotation];
  return frozen === 'true' ? 'has frozen decisions' : undefined;
}

interface Base {
  readonly strategy: Strategy;
  readonly addOn: AddOn;
  /** The index of the strategy among the placements of the add-on. */
  readonly index: number;
}

function overridePlacement(
  clusterAddOn: ClusterObject,
  base: PlacementV1beta1,
  { strategy, addOn, index }: Base,
): OverridePlacement {
  const { name: addOnName = '', namespace: cluster = '' } = clusterAddOn.object.metadata;
  const object = singleClusterPlacement(base, { addOn: addOnName, cluster });
  const { object: placement } = admitObject({ object, origin: clusterAddOn.origin, source: 'app' });
  if (placement === undefined) throw new Error(`no Placement for ${addOnName} on ${cluster}`);
  const mine = clusterAddOn.object.spec.configs ?? [];
  const kinds = new Set(mine.map(kindOf));
  const configs: Config[] = [];
  const places: ConfigLocation[] = [];
  for (const [position, config] of (strategy.configs ?? []).entries()) {
    if (kinds.has(kindOf(config))) continue;
    configs.push(config);
    const path = ['spec', 'installStrategy', 'placements', index, 'configs', position];
    places.push({ origin: addOn.origin, path });
  }
  for (const [position, config] of mine.entries()) {
    configs.push(config);
    places.push({ origin: clusterAddOn.origin, path: ['spec', 'configs', position] });
  }
  return {
    placement,
    strategy: {
      namespace: base.metadata.namespace ?? '',
      name: object.metadata.name ?? '',
      configs,
      // The API server's default: an override reaches its cluster immediately, as one in a ManagedClusterAddOn does.
      rolloutStrategy: { type: 'All' },
    },
    locations: places,
  };
}

function kindOf({ group = '', resource }: Config): string {
  return `${group}/${resource}`;
}

/** Returns the origin of an add-on whose own placements are followed by placements from other locations. */
export function originWith(
  origin: Origin,
  ownPlacements: number,
  added: readonly OverridePlacement[],
): Origin {
  return {
    get location(): Location {
      return origin.location;
    },
    locate(path) {
      const [spec, strategy, placements, index, configs, config, ...rest] = path;
      const at =
        `${spec}.${strategy}.${placements}` === 'spec.installStrategy.placements' ? index : undefined;
      const override = typeof at === 'number' ? added[at - ownPlacements] : undefined;
      if (override === undefined) return origin.locate(path);
      const place =
        configs === 'configs' && typeof config === 'number' ? override.locations[config] : undefined;
      return place === undefined
        ? override.placement.origin.location
        : place.origin.locate([...place.path, ...rest]);
    },
  };
}
