import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import type {
  ClusterManagementAddOnV1beta1,
  ManagedClusterAddOnV1beta1,
} from '../../../schemas/types.gen.ts';
import { overrideAnnotation, overridesAnnotation } from '../../ocm/fleetwright-annotations.ts';
import { sortByKind } from '../admit/inventory.ts';
import { withAnnotations } from '../../ocm/annotations.ts';
import { diagnostic, type Diagnostic, type Outcome } from '../model/diagnostic.ts';
import { referenceTo, type Admitted, type ByKey, type Inventory } from '../model/inventory.ts';
import { groupOf } from '../../base/names/resource-name.ts';
import { asPlacements, originWith, type OverridePlacement } from './as-placements.ts';
import { overrideMode, unknownMode, type OverrideMode } from './override-mode.ts';
import { addOnGroup } from '../../../schemas/groups.ts';

type ClusterObject = Admitted<ManagedClusterAddOnV1beta1>;

/**
 * Converts the overrides of single clusters to the objects that are sent to the hub, each in its requested mode. If no mode is
 * requested, the inventory is returned unchanged.
 */
export function override(inventory: Inventory): Outcome<Inventory> {
  const { clusterManagementAddOns, managedClusterAddOns } = inventory;
  if (!asksForModes(clusterManagementAddOns) && !asksForModes(managedClusterAddOns))
    return { value: inventory, diagnostics: [] };
  const addOns = [...clusterManagementAddOns.values()].filter(isAsked);
  const clusterAddOns = [...managedClusterAddOns.values()].filter(({ source }) => source === 'app');
  const diagnostics = [...addOns, ...clusterAddOns].flatMap(unknownMode);
  const ways = new Map<string, Ways>();
  for (const addOn of addOns) waysOf(addOn.object.metadata.name ?? '', ways, inventory);
  for (const clusterAddOn of clusterAddOns) {
    const addOn = waysOf(clusterAddOn.object.metadata.name ?? '', ways, inventory);
    sortOut(clusterAddOn, addOn, inventory);
  }
  for (const [name, { unsaid }] of ways) diagnostics.push(...staying(name, unsaid));
  const objects = inventory.objects.flatMap((admitted) => asSent(admitted, ways));
  const added = [...ways.values()].flatMap((addOn) => addOn.placements.map(({ placement }) => placement));
  return { value: sortByKind([...objects, ...added], inventory.elsewhere), diagnostics };
}

type AddOnObject = Pick<KubernetesObject, 'apiVersion' | 'kind' | 'metadata'>;

function isAsked({ object, source }: Admitted<AddOnObject>): boolean {
  return source === 'app' && object.metadata.annotations?.[overrideAnnotation] !== undefined;
}

const asking = new WeakMap<ByKey<AddOnObject>, boolean>();

/** Whether a mode is requested for one of these objects: asked once for all states that have them. */
function asksForModes(objects: ByKey<AddOnObject>): boolean {
  return getOrInsertComputed(asking, objects, () => [...objects.values()].some(isAsked));
}

/** The conversion of the overrides of one add-on. */
interface Ways {
  readonly addOn: Admitted<ClusterManagementAddOnV1beta1> | undefined;
  /** The add-on's mode for all of its overrides. */
  readonly mode: OverrideMode | undefined;
  readonly placements: OverridePlacement[];
  /** The clusters whose ManagedClusterAddOn became placements. */
  readonly replaced: Set<string>;
  /** The clusters whose ManagedClusterAddOn is in the inventory. */
  readonly listed: Set<string>;
  /** The overrides that remain as they are, by the reason. */
  readonly unsaid: Map<string, ClusterObject[]>;
}

function waysOf(name: string, ways: Map<string, Ways>, { clusterManagementAddOns }: Inventory): Ways {
  const existing = ways.get(name);
  if (existing !== undefined) return existing;
  const addOn = clusterManagementAddOns.get(name);
  const created: Ways = {
    addOn,
    mode: addOn?.source === 'app' ? overrideMode(addOn.object) : undefined,
    placements: [],
    replaced: new Set(),
    listed: new Set(),
    unsaid: new Map(),
  };
  ways.set(name, created);
  return created;
}

function sortOut(clusterAddOn: ClusterObject, ways: Ways, { placements }: Inventory): void {
  const cluster = clusterAddOn.object.metadata.namespace ?? '';
  const mode = overrideMode(clusterAddOn.object) ?? ways.mode;
  const stays = (reason: string): void => {
    const others = ways.unsaid.get(reason);
    if (others === undefined) ways.unsaid.set(reason, [clusterAddOn]);
    else others.push(clusterAddOn);
  };
  if (mode === 'inventory') {
    if (ways.addOn?.source === 'app') ways.listed.add(cluster);
    else stays('its ClusterManagementAddOn, which would list it, is not in the same app');
  }
  if (mode === 'placement') {
    const overridePlacements = asPlacements(clusterAddOn, ways.addOn, placements);
    if (typeof overridePlacements === 'string') stays(overridePlacements);
    else {
      ways.placements.push(...overridePlacements);
      ways.replaced.add(cluster);
    }
  }
}

/** Returns one finding for all overrides of an add-on that remain for the same reason. */
function staying(addOn: string, unsaid: Ways['unsaid']): Diagnostic[] {
  return [...unsaid].flatMap(([reason, [first, ...others]]) => {
    if (first === undefined) return [];
    const cluster = first.object.metadata.namespace ?? '';
    return [
      diagnostic('FW4010', {
        message: `the override of "${addOn}" on ${others.length === 0 ? `"${cluster}"` : `${others.length + 1} clusters, including "${cluster}",`} stays an ordinary ManagedClusterAddOn: ${reason}`,
        object: referenceTo(first.object),
        path: 'metadata',
        location: first.origin.location,
        hint: `exclude these with the annotation ${overrideAnnotation}: object, or use another override mode for them`,
      }) satisfies Diagnostic,
    ];
  });
}

/** Returns an object in the form that is sent to the hub. Empty if other objects replace it. */
function asSent(admitted: Admitted, ways: ReadonlyMap<string, Ways>): Admitted[] {
  const { object, source } = admitted;
  const { name = '', namespace = '' } = object.metadata;
  const addOn = groupOf(object.apiVersion) === addOnGroup ? ways.get(name) : undefined;
  if (addOn === undefined || source !== 'app') return [admitted];
  if (object.kind === 'ClusterManagementAddOn') return [addOnAsSent(admitted, addOn)];
  if (object.kind !== 'ManagedClusterAddOn') return [admitted];
  if (addOn.replaced.has(namespace)) return stateOf(admitted);
  const mark = addOn.listed.has(namespace) ? 'inventory' : undefined;
  return [{ ...admitted, object: withAnnotations(object, { [overrideAnnotation]: mark }) }];
}

/** Keeps the hub's status for the cluster if the fleet snapshot contains it. */
function stateOf(admitted: Admitted): Admitted[] {
  const { status } = admitted.object;
  if (status === undefined) return [];
  return [{ ...admitted, source: 'fleet', object: { ...admitted.object, spec: {} } }];
}

function addOnAsSent(admitted: Admitted, { mode, placements, listed }: Ways): Admitted {
  const isListing = mode === 'inventory' || listed.size > 0;
  const object = withAnnotations(admitted.object, {
    [overrideAnnotation]: undefined,
    [overridesAnnotation]: isListing
      ? [...listed]
          .sort()
          .map((cluster) => `${cluster}\n`)
          .join('')
      : undefined,
  });
  if (placements.length === 0) return { ...admitted, object };
  // Both versions of the kind have the install strategy in the same shape.
  const spec = object['spec'] as ClusterManagementAddOnV1beta1['spec'];
  const installPlacements = spec.installStrategy?.placements ?? [];
  const strategies = [...installPlacements, ...placements.map(({ strategy }) => strategy)];
  return {
    ...admitted,
    object: {
      ...object,
      spec: { ...spec, installStrategy: { ...spec.installStrategy, placements: strategies } },
    },
    origin: originWith(admitted.origin, installPlacements.length, placements),
  };
}
