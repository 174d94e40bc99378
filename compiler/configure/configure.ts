import type { ClusterManagementAddOnV1beta1, ManagedClusterAddOnV1beta1 } from '../../schemas/types.gen.ts';
import type { Diagnostic, Outcome } from '../diagnostic.ts';
import type { FieldPath } from '../field-path.ts';
import { objectKey, type Admitted, type ByKey, type Inventory } from '../inventory.ts';
import type { Decisions } from '../place/decision.ts';
import { addOnGroup, configObjects, type ConfigObjects, type Referent } from './config-objects.ts';
import { checkConfiguration, orphans } from './findings.ts';
import type {
  ClusterAddOn,
  ConfigReference,
  Configuration,
  EffectiveConfiguration,
  InstallProgression,
  ResolvedAddOn,
} from './configuration.ts';
import { effectiveConfiguration, type ClusterLevels } from './effective.ts';
import { defaultPath } from './default-path.ts';
import { levelCandidates, type LevelCandidates, type LevelSource } from './levels.ts';

type AddOn = Admitted<ClusterManagementAddOnV1beta1>;
type ClusterObject = Admitted<ManagedClusterAddOnV1beta1>;

const lifecycleAnnotation = 'addon.open-cluster-management.io/lifecycle';
const nothing: EffectiveConfiguration = { kinds: [], references: [] };

/**
 * Which configuration every add-on uses on every cluster, once the hub is still and all rollouts are through. Follows
 * OCM's addonmanagement (where it is installed), cmainstallprogression (the references of the ClusterManagementAddOn)
 * and addonconfiguration (the references of the ManagedClusterAddOns) controllers.
 */
export function configure(inventory: Inventory, decisions: Decisions): Outcome<Configuration> {
  const objects = configObjects(inventory);
  const written = byAddOn(inventory.managedClusterAddOns);
  const names = [...inventory.clusterManagementAddOns.keys()].sort();
  const configuration = new Map<string, ResolvedAddOn>();
  const diagnostics: Diagnostic[] = [];
  for (const name of names) {
    const addOn = inventory.clusterManagementAddOns.get(name);
    if (addOn === undefined) continue;
    const mine = written.get(name) ?? new Map<string, ClusterObject>();
    const resolved = resolveAddOn(name, addOn, mine, objects, decisions);
    configuration.set(name, resolved);
    diagnostics.push(...checkConfiguration(addOn, resolved, mine, objects, decisions));
  }
  for (const [name, mine] of written) {
    if (!inventory.clusterManagementAddOns.has(name)) diagnostics.push(...orphans(mine));
  }
  return { value: configuration, diagnostics };
}

function resolveAddOn(
  name: string,
  addOn: AddOn,
  written: ReadonlyMap<string, ClusterObject>,
  objects: ConfigObjects,
  decisions: Decisions,
): ResolvedAddOn {
  const { spec } = addOn.object;
  const managed = isManaged(addOn.object);
  const template = supportsTemplates(addOn.object);
  const hash = (referent: Referent): string =>
    isHashed(referent, addOn.object, managed, template) ? objects.hash(referent) : '';
  const defaults = levelCandidates(
    spec.defaultConfigs,
    { level: 'default', origin: addOn.origin, pathOf: (index) => defaultPath(addOn, index) },
    hash,
  );
  const placements = placementLevels(addOn, hash);
  const missing = placements.find((placement) => !decisions.decisions.has(placement.key));
  const stalled = managed && missing !== undefined ? `placement ${missing.key} not found` : undefined;

  const selecting = new Map<string, number[]>();
  for (const [index, { key }] of placements.entries()) {
    for (const cluster of decisions.decisions.get(key)?.selected ?? []) {
      const indices = selecting.get(cluster);
      if (indices) indices.push(index);
      else selecting.set(cluster, [index]);
    }
  }

  const installs = managed && isInstalledByPlacements(addOn.object);
  const names = installs
    ? [...selecting.keys()].filter((cluster) => decisions.clusters.has(cluster))
    : [...written.keys()];
  const shared = new Map<string, EffectiveConfiguration>();
  const clusters = new Map<string, ClusterAddOn>();
  for (const cluster of names.sort()) {
    const indices = (installs ? selecting.get(cluster) : undefined) ?? [];
    const own = written.get(cluster);
    clusters.set(cluster, {
      cluster,
      placements: indices.flatMap((index) => placements[index]?.key ?? []),
      effective: effectiveOn(own, indices),
      ...(own === undefined ? {} : { written: own }),
    });
  }

  function effectiveOn(own: ClusterObject | undefined, indices: readonly number[]): EffectiveConfiguration {
    const held = heldReferences(own?.object);
    if (!managed || stalled !== undefined)
      return held.length === 0 ? nothing : { kinds: [], references: held };
    const levels: ClusterLevels = {
      defaults,
      placements: indices.flatMap((index) => placements[index]?.candidates ?? []),
      cluster: own === undefined ? new Map() : clusterLevel(own, hash),
    };
    if (levels.cluster.size > 0 || held.length > 0) return effectiveConfiguration(levels, held);
    const key = indices.join();
    const known = shared.get(key) ?? effectiveConfiguration(levels, held);
    shared.set(key, known);
    return known;
  }

  return {
    name,
    managed,
    template,
    ...(stalled === undefined ? {} : { stalled }),
    defaultReferences: inOrderWritten(defaults),
    // As OCM's cmainstallprogression: add-ons that nobody manages or installs have no progressions.
    progressions: installs ? placements.map((placement) => progression(placement, defaults)) : [],
    clusters,
  };
}

interface PlacementLevel {
  /** `namespace/name`. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly candidates: LevelCandidates;
}

function placementLevels(addOn: AddOn, hash: (referent: Referent) => string): readonly PlacementLevel[] {
  if (!isInstalledByPlacements(addOn.object)) return [];
  return (addOn.object.spec.installStrategy?.placements ?? []).map(({ namespace, name, configs }, index) => {
    const key = objectKey(namespace, name);
    const pathOf = (config: number): FieldPath => [
      'spec',
      'installStrategy',
      'placements',
      index,
      'configs',
      config,
    ];
    const source: LevelSource = { level: 'placement', placement: key, origin: addOn.origin, pathOf };
    return { key, namespace, name, candidates: levelCandidates(configs, source, hash) };
  });
}

function clusterLevel(own: ClusterObject, hash: (referent: Referent) => string): LevelCandidates {
  return levelCandidates(
    own.object.spec.configs,
    { level: 'cluster', origin: own.origin, pathOf: (index) => ['spec', 'configs', index] },
    hash,
  );
}

function progression(
  { namespace, name, candidates }: PlacementLevel,
  defaults: LevelCandidates,
): InstallProgression {
  const levels = { defaults, placements: [candidates], cluster: new Map() };
  return { namespace, name, references: effectiveConfiguration(levels, []).references };
}

/** The defaults in the order in which the ClusterManagementAddOn lists them. */
function inOrderWritten(defaults: LevelCandidates): readonly ConfigReference[] {
  return [...defaults.values()].flat().map((candidate) => candidate.reference);
}

function heldReferences(own: ManagedClusterAddOnV1beta1 | undefined): readonly ConfigReference[] {
  return (own?.status?.configReferences ?? []).flatMap(({ group, resource, desiredConfig }) =>
    desiredConfig === undefined
      ? []
      : [
          {
            group: group ?? '',
            resource,
            ...(desiredConfig.namespace ? { namespace: desiredConfig.namespace } : {}),
            name: desiredConfig.name,
            specHash: desiredConfig.specHash ?? '',
          },
        ],
  );
}

function byAddOn(
  all: ByKey<ManagedClusterAddOnV1beta1>,
): ReadonlyMap<string, ReadonlyMap<string, ClusterObject>> {
  const names = new Map<string, Map<string, ClusterObject>>();
  for (const admitted of all.values()) {
    const { name = '', namespace = '' } = admitted.object.metadata;
    const clusters = names.get(name) ?? new Map<string, ClusterObject>();
    names.set(name, clusters);
    clusters.set(namespace, admitted);
  }
  return names;
}

/** As addon-framework ManagedByAddonManager: absent means managed; any other value, the empty one too, does not. */
function isManaged({ metadata }: ClusterManagementAddOnV1beta1): boolean {
  const lifecycle = metadata.annotations?.[lifecycleAnnotation];
  return lifecycle === undefined || lifecycle === 'addon-manager';
}

function isInstalledByPlacements({ spec }: ClusterManagementAddOnV1beta1): boolean {
  return spec.installStrategy?.type === 'Placements';
}

/** As OCM's SupportAddOnTemplate: listing the kind is enough, with or without a default. */
function supportsTemplates({ spec }: ClusterManagementAddOnV1beta1): boolean {
  return (spec.defaultConfigs ?? []).some(
    ({ group, resource }) => group === addOnGroup && resource === 'addontemplates',
  );
}

/**
 * Whether some manager hashes this kind for the add-on. The hub's template manager knows two kinds whatever the add-on
 * lists; an add-on's own manager knows those that its ClusterManagementAddOn lists.
 */
function isHashed(
  { group, resource }: Referent,
  { spec }: ClusterManagementAddOnV1beta1,
  managed: boolean,
  template: boolean,
): boolean {
  if (template)
    return group === addOnGroup && (resource === 'addontemplates' || resource === 'addondeploymentconfigs');
  if (!managed) return false;
  return (spec.defaultConfigs ?? []).some(
    (kind) => (kind.group ?? '') === group && kind.resource === resource,
  );
}
