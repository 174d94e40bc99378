import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { convertAddOn } from '../../compiler/admit/conversion/convert.ts';
import { withoutServerFields } from '../../compiler/hub-metadata.ts';
import type { Admitted, Inventory } from '../../compiler/model/inventory.ts';
import type { Origin } from '../../compiler/model/origin.ts';
import { changesBetween, fieldOf, type Change } from '../changes.ts';
import { withoutNullFields } from '../nulls.ts';
import { isTyped } from '../plus/typed-object.ts';

/** An object to write. */
export interface Subject {
  /** As it was written, without fields that the API server sets. */
  readonly raw: KubernetesObject;
  /** As the hub stores it. */
  readonly stored: KubernetesObject;
  /** As OCM's controllers read it. */
  readonly controllerView: KubernetesObject;
  readonly origin: Origin;
}

/** Returns the objects of an app to write, in order, without the parts that have no meaning for the hub. */
export function subjectsOf(
  admitted: readonly Admitted[],
  rawOf: (origin: Origin) => KubernetesObject | undefined,
  inventory: Inventory,
): Subject[] {
  const controllerViews = controllerViewsIn(inventory);
  return admitted.map(({ object, origin }) => {
    const stored = withoutLostEmpties(bare(object));
    // metadata as the API server reads it, without nulls and empty maps
    const raw = bare({ ...(rawOf(origin) ?? object), metadata: object.metadata });
    return { raw, stored, controllerView: bare(controllerViews.get(origin) ?? object), origin };
  });
}

function bare(object: KubernetesObject): KubernetesObject {
  const bareObject = withoutServerFields(object);
  // the API server decodes Kubernetes kinds into Go types, which treat null as absent
  return isTyped(bareObject) ? withoutNullFields(bareObject) : bareObject;
}

/**
 * Returns the object without empty fields that are lost in the version that OCM's controllers read, such as an
 * `addOnConfiguration` that names nothing. If any other field is lost, the object stays unchanged.
 */
function withoutLostEmpties(object: KubernetesObject): KubernetesObject {
  if (!object.apiVersion.endsWith('/v1alpha1')) return object;
  const converted = convertAddOn(convertAddOn(object, 'v1beta1'), 'v1alpha1');
  if (converted === object) return object;
  const changes = changesBetween({
    rendered: object,
    completed: object,
    required: converted,
    source: undefined,
  });
  const isEmpty = ({ operation, path }: Change): boolean =>
    operation === 'remove' && isEmptyValue(path.reduce<unknown>(fieldOf, object));
  return changes.every(isEmpty) ? converted : object;
}

function isEmptyValue(value: unknown): boolean {
  if (value === '' || value === null) return true;
  return typeof value === 'object' && Object.values(value).every((field) => isEmptyValue(field));
}

/** Returns each object in the version that OCM's controllers read. */
function controllerViewsIn(inventory: Inventory): Map<Origin, KubernetesObject> {
  const maps = [
    inventory.clusterManagementAddOns,
    inventory.managedClusterAddOns,
    inventory.addOnTemplates,
    inventory.addOnDeploymentConfigs,
    inventory.managedClusterSets,
    inventory.managedClusterSetBindings,
    inventory.placements,
  ];
  return new Map(
    maps.flatMap((map) => [...map.values()].map(({ origin, object }) => [origin, { ...object }] as const)),
  );
}
