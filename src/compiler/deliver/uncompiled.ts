import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { joined, oncePerPart, partsOf } from '../../base/collections/joined-lists.ts';
import { Remembered } from '../../base/collections/remembered.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import {
  clustersAnnotation,
  defaultTemplateAnnotation,
  deliveryAnnotation,
  emptyLocationsAnnotation,
  ownConfigsAnnotation,
  preDeleteHooksAnnotation,
} from '../../ocm/fleetwright-annotations.ts';
import { isJsonList, isJsonMap } from '../../base/json/json-map.ts';
import { waveAnnotation, withAnnotations } from '../../ocm/annotations.ts';
import { addOnNameLabel } from '../../ocm/labels.ts';
import type { LoadedObject } from '../model/inventory.ts';
import { groupOf, groupResource } from '../../base/names/resource-name.ts';
import { addOnGroup } from '../../../schemas/groups.ts';

/**
 * Reverts objects to their form before compiled delivery emitted them. Such objects come from a hub, or from a folder that synth
 * wrote. ManagedClusterAddOns keep only the cluster's own configurations, a ClusterManagementAddOn has its template again, and
 * works are removed. Other objects are unchanged.
 */
export function uncompiled(objects: readonly LoadedObject[]): readonly LoadedObject[] {
  const addOns = new Set(compiledAddOnsIn(objects));
  if (addOns.size === 0) return objects;
  const convert = (part: readonly LoadedObject[]): readonly LoadedObject[] =>
    part.flatMap((loaded) => {
      if (isWorkOf(loaded.object, addOns)) return [];
      return [getOrInsertComputed(inSource, loaded, loadedInSourceForm)];
    });
  return joined(partsOf(objects).map((part) => remembered.of(part, [...addOns], () => convert(part))));
}

const compiledAddOnsIn = oncePerPart((part: readonly LoadedObject[]) =>
  part.flatMap(({ object }) => compiledAddOnIn(object)),
);

const remembered = new Remembered<readonly LoadedObject[]>();

/** One object for all states that have a loaded one. */
const inSource = new WeakMap<LoadedObject, LoadedObject>();

function loadedInSourceForm(loaded: LoadedObject): LoadedObject {
  const object = inSourceForm(loaded.object);
  return object === loaded.object ? loaded : { ...loaded, object };
}

function compiledAddOnIn({ kind, metadata }: KubernetesObject): string[] {
  if (kind !== 'ClusterManagementAddOn' || metadata?.annotations?.[deliveryAnnotation] !== 'compiled')
    return [];
  return metadata.name === undefined ? [] : [metadata.name];
}

function isWorkOf({ kind, metadata }: KubernetesObject, addOns: ReadonlySet<string>): boolean {
  if (kind !== 'ManifestWork') return false;
  const addOn = metadata?.labels?.[addOnNameLabel] ?? '';
  return addOns.has(addOn) && metadata.name?.startsWith(`addon-${addOn}-deploy-`) === true;
}

function inSourceForm(object: KubernetesObject): KubernetesObject {
  // The objects are not validated yet.
  if (object.metadata?.annotations?.[deliveryAnnotation] !== 'compiled') return object;
  if (typeof object.apiVersion !== 'string' || groupOf(object.apiVersion) !== addOnGroup) return object;
  if (object.kind === 'ClusterManagementAddOn') return addOnInSourceForm(object);
  return object.kind === 'ManagedClusterAddOn' ? clusterAddOnInSourceForm(object) : object;
}

function addOnInSourceForm(object: KubernetesObject): KubernetesObject {
  const template = object.metadata.annotations?.[defaultTemplateAnnotation];
  const addOn = withAnnotations(object, {
    [defaultTemplateAnnotation]: undefined,
    [clustersAnnotation]: undefined,
  });
  const { spec } = addOn;
  if (template === undefined || !isJsonMap(spec)) return addOn;
  const isV1alpha1 = object.apiVersion.endsWith('/v1alpha1');
  const list = isV1alpha1 ? 'supportedConfigs' : 'defaultConfigs';
  const kind = { group: addOnGroup, resource: 'addontemplates' };
  const entry = isV1alpha1 ? { ...kind, defaultConfig: { name: template } } : { ...kind, name: template };
  const configs = spec[list];
  return { ...addOn, spec: { ...spec, [list]: [...(isJsonList(configs) ? configs : []), entry] } };
}

function clusterAddOnInSourceForm(object: KubernetesObject): KubernetesObject {
  const { spec } = object;
  const kindsOfUser: unknown = object.metadata.annotations?.[ownConfigsAnnotation] ?? '';
  if (typeof kindsOfUser !== 'string' || !isJsonMap(spec) || !isJsonList(spec['configs'])) return object;
  const userKinds = new Set(kindsOfUser.split(','));
  const { configs, ...others } = spec;
  const userConfigs = configs.filter((config) => {
    if (!isJsonMap(config)) return true;
    const { group = '', resource } = config;
    return userKinds.has(groupResource(String(group), String(resource)));
  });
  const clusterAddOn = withAnnotations(object, {
    [deliveryAnnotation]: undefined,
    [ownConfigsAnnotation]: undefined,
    [emptyLocationsAnnotation]: undefined,
    [preDeleteHooksAnnotation]: undefined,
    [waveAnnotation]: undefined,
  });
  return {
    ...clusterAddOn,
    spec: { ...others, ...(userConfigs.length === 0 ? {} : { configs: userConfigs }) },
  };
}
