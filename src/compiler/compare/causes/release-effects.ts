import type { HubVersion, HubVersionName } from '../../../ocm/hub-version.ts';
import { configKindKey } from '../../../ocm/referent.ts';
import { diagnostic, type Diagnostic } from '../../model/diagnostic.ts';
import { objectKey } from '../../model/inventory.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { pointAt } from '../../model/point-at.ts';
import type { Resolution } from '../../resolve.ts';
import { replicaSets } from '../../rollout/replica-set.ts';
import { clockAnnotation } from '../../../ocm/clock-annotation.ts';
import { clusterCount, counted, quote } from '../../model/words.ts';
import { isReadForTemplates } from '../../configure/supported-kinds.ts';

/** The resolution of one state, with the release of its hub. */
interface StateOnRelease {
  readonly resolution: Resolution;
  readonly hub: HubVersion;
}

/** What another release does differently, with the first of the objects that show it. */
interface ReleaseEffect {
  readonly object: Parameters<typeof pointAt>[0];
  readonly path: FieldPath;
  readonly message: string;
  readonly hint: string;
}

type ReleaseRule = (base: StateOnRelease, head: StateOnRelease) => ReleaseEffect | undefined;

/**
 * Reports what the release of the hub changes without any effect on clusters: in statuses, in the output, or in what was random
 * before. Each behavior is reported once per app.
 */
export function releaseEffects(base: StateOnRelease, head: StateOnRelease): readonly Diagnostic[] {
  if (base.hub === head.hub) return [];
  return rules.flatMap((rule) => {
    const effect = rule(base, head);
    if (effect === undefined) return [];
    const { object, path, message, hint } = effect;
    return diagnostic('FW8033', { message, ...pointAt(object, path), hint });
  });
}

/** The progress of placements in the status of a ClusterManagementAddOn. */
const progress: ReleaseRule = (base, head) => {
  if (base.hub.countsConfiguredAddOns === head.hub.countsConfiguredAddOns) return undefined;
  const { inventory, rollouts } = head.resolution;
  for (const [name, addOn] of inventory.clusterManagementAddOns) {
    const before = base.resolution.rollouts.get(name)?.progressions ?? [];
    for (const { placement, condition } of rollouts.get(name)?.progressions ?? []) {
      const earlier = before.find((each) => each.placement === placement)?.condition.message;
      if (earlier === undefined || earlier === condition.message) continue;
      return {
        object: addOn,
        path: ['status', 'installProgressions'],
        message: `the hub counts the progress of placements differently: ${quote(condition.message)} for ${placement}, before ${quote(earlier)}`,
        hint: 'update whatever reads these messages',
      };
    }
  }
  return undefined;
};

/** The version in which controllers write ManagedClusterAddOns. */
const owners: ReleaseRule = (base, head) => {
  const { controllersApiVersion: version } = head.hub;
  if (version === base.hub.controllersApiVersion) return undefined;
  const { configuration, inventory } = head.resolution;
  const written = [...configuration.values()].filter(({ managed, clusters }) => managed && clusters.size > 0);
  const [first] = written.flatMap(({ name }) => inventory.clusterManagementAddOns.get(name) ?? []);
  if (first === undefined) return undefined;
  const clusters = written.reduce((sum, addOn) => sum + addOn.clusters.size, 0);
  return {
    object: first,
    path: ['metadata'],
    message: `the hub writes ${counted(clusters, 'ManagedClusterAddOn')} and their owner references in ${version}, before in ${base.hub.controllersApiVersion}`,
    hint: 'update programs that read the API version of owner references, or that expect no healthCheck',
  };
};

/** The fields of Placements in the output. */
const sorting: ReleaseRule = (base, head) => {
  if (base.hub.servesPlacementSorting === head.hub.servesPlacementSorting) return undefined;
  const placements = [...head.resolution.inventory.placements.values()].filter(
    ({ source }) => source === 'app',
  );
  const [first] = placements;
  if (first === undefined) return undefined;
  const verb = head.hub.servesPlacementSorting ? 'has' : 'no longer has';
  return {
    object: first,
    path: ['spec'],
    message: `the output ${verb} the defaults of sortBy and scoreRateLimit in ${counted(placements.length, 'Placement')}, which no release reads`,
    hint: 'run fleetwright synth after the upgrade',
  };
};

/** The order of several configurations of one kind. */
const configOrder: ReleaseRule = (base, head) => {
  if (base.hub.keepsConfigOrder === head.hub.keepsConfigOrder) return undefined;
  for (const addOn of head.resolution.inventory.clusterManagementAddOns.values()) {
    const { placements = [] } = addOn.object.spec.installStrategy ?? {};
    for (const [index, { namespace, name, configs = [] }] of placements.entries()) {
      const kinds = configs.map((config) => configKindKey({ group: '', ...config }));
      const second = kinds.findIndex((kind, position) => kinds.indexOf(kind) < position);
      const { resource } = configs[second] ?? {};
      if (resource === undefined) continue;
      const [keeps, orders] = head.hub.keepsConfigOrder ? [head, base] : [base, head];
      return {
        object: addOn,
        path: ['spec', 'installStrategy', 'placements', index, 'configs', second],
        message: `${onRelease(orders.hub.name)} the hub orders the ${resource} of placement ${objectKey(namespace, name)} randomly, and ${onRelease(keeps.hub.name)} it keeps their order`,
        hint: 'the plan assumes the written order in both states: clusters that have another one are rolled out again',
      };
    }
  }
  return undefined;
};

/** Which of several configurations of one kind templates read. The plan shows the clusters on which that changes a manifest. */
const readPosition: ReleaseRule = (base, head) => {
  const { templatesRead } = head.hub;
  if (base.hub.templatesRead === templatesRead) return undefined;
  const { configuration, inventory } = head.resolution;
  for (const [name, addOn] of inventory.clusterManagementAddOns) {
    const resolved = configuration.get(name);
    if (resolved?.template !== true || resolved.reads !== templatesRead) continue;
    const uses = [...resolved.clusters.byConfiguration()];
    const several = uses
      .flatMap(([{ kinds }]) => kinds)
      .find((kind) => kind.winners.length > 1 && isReadForTemplates(kind));
    if (several === undefined) continue;
    const clusters = uses.flatMap(([{ kinds }, clusters]) =>
      kinds.some((kind) => kind.winners.length > 1 && isReadForTemplates(kind)) ? clusters : [],
    );
    return {
      object: addOn,
      path: ['spec', 'supportedConfigs'],
      message: `${onRelease(head.hub.name)} template add-ons read the ${templatesRead} of several ${several.resource}, before the ${base.hub.templatesRead}; ${clusterCount(clusters.length)} of ${quote(name)} ${clusters.length === 1 ? 'has' : 'have'} several`,
      hint: 'use one configuration per kind before the upgrade',
    };
  }
  return undefined;
};

/** Whether clusters with another time than the hub stay available. */
const clocks: ReleaseRule = (base, head) => {
  if (base.hub.readsClockAnnotation === head.hub.readsClockAnnotation) return undefined;
  const annotated = [...head.resolution.inventory.managedClusters.values()].filter(
    ({ object }) => object.metadata.annotations?.[clockAnnotation] === 'true',
  );
  const [first] = annotated;
  if (first === undefined) return undefined;
  const verb = head.hub.readsClockAnnotation ? 'begins' : 'ceases';
  return {
    object: first,
    path: ['metadata', 'annotations', clockAnnotation],
    message: `the hub ${verb} to ignore the clocks of ${counted(annotated.length, 'cluster')} with the annotation ${clockAnnotation}`,
    hint: 'clusters whose clock is wrong can become available or unavailable, which changes what placements select',
  };
};

/** The names of the works of ManifestWorkReplicaSets. */
const workNames: ReleaseRule = (base, head) => {
  const { generatesWorkNames } = head.hub;
  if (generatesWorkNames === base.hub.generatesWorkNames) return undefined;
  const sets = replicaSets(head.resolution.inventory);
  const [first] = sets;
  if (first === undefined) return undefined;
  const works = `the new works of ${counted(sets.length, 'ManifestWorkReplicaSet')}`;
  return {
    object: first,
    path: ['metadata', 'name'],
    message: generatesWorkNames
      ? `the hub generates the names of ${works}, before they had the name of their set`
      : `the hub names ${works} after their set, before it generated their names`,
    hint: 'existing works keep their names: update whatever finds works by name to use the label work.open-cluster-management.io/manifestworkreplicaset',
  };
};

const rules: readonly ReleaseRule[] = [
  progress,
  owners,
  sorting,
  configOrder,
  readPosition,
  clocks,
  workNames,
];

function onRelease(name: HubVersionName): string {
  return `on OCM ${name}`;
}
