import { diagnostic } from '../../compiler/model/diagnostic.ts';
import type { Diagnostic } from '../../compiler/index.ts';
import { referenceTo } from '../../compiler/model/inventory.ts';
import { counted } from '../../compiler/model/words.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { clusterResource, namespacedResource } from '../../client/resource.ts';
import { addOnGroup, clusterGroup } from '../../../schemas/groups.ts';
import { isJsonMap } from '../../base/json/json-map.ts';
import type { HubReader } from './hub-reader.ts';

/** The kinds that the output always has, so that a second engine on any of an app's objects is noticed. */
const resources = [
  clusterResource(`${addOnGroup}/v1alpha1`, 'ClusterManagementAddOn', 'clustermanagementaddons'),
  namespacedResource(`${addOnGroup}/v1alpha1`, 'AddOnDeploymentConfig', 'addondeploymentconfigs'),
  namespacedResource(`${clusterGroup}/v1beta1`, 'Placement', 'placements'),
];

/** Reports once the objects that both Argo CD and Flux apply: each engine overwrites and prunes what the other applies. */
export async function twoEngines(hub: HubReader): Promise<readonly Diagnostic[]> {
  const contested: KubernetesObject[] = [];
  for (const resource of resources) {
    const objects = (await hub.list(resource)) ?? [];
    for (const object of objects)
      if (enginesOf(object).size > 1)
        contested.push({ ...object, apiVersion: resource.apiVersion, kind: resource.kind });
  }
  const [first] = contested;
  if (first === undefined) return [];
  const rest = contested.length - 1;
  return [
    diagnostic('FW9185', {
      message: `${first.kind} "${first.metadata.name ?? ''}"${rest === 0 ? '' : ` and ${counted(rest, 'other object')}`} ${rest === 0 ? 'is' : 'are'} applied by ${[...enginesOf(first)].join(' and ')}: each overwrites the other, and deletes what it no longer has`,
      object: referenceTo(first),
      hint: 'disable pruning of the earlier one, wait until it is applied, and then delete it',
    }),
  ];
}

const managers: ReadonlyMap<string, string> = new Map([
  ['argocd-controller', 'Argo CD'],
  ['argocd-application-controller', 'Argo CD'],
  ['kustomize-controller', 'Flux'],
]);

/** Returns the engines that the marks and the managed fields of an object name. */
function enginesOf({ metadata }: KubernetesObject): ReadonlySet<string> {
  const { labels = {}, annotations = {} } = metadata;
  const engines = new Set<string>();
  if (annotations['argocd.argoproj.io/tracking-id'] !== undefined) engines.add('Argo CD');
  if (labels['kustomize.toolkit.fluxcd.io/name'] !== undefined) engines.add('Flux');
  const { managedFields }: { readonly managedFields?: unknown } = metadata as object;
  for (const entry of Array.isArray(managedFields) ? (managedFields as unknown[]) : []) {
    const engine = isJsonMap(entry) ? managers.get(String(entry['manager'])) : undefined;
    if (engine !== undefined) engines.add(engine);
  }
  return engines;
}
