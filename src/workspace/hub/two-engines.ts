import { diagnostic } from '../../compiler/model/diagnostic.ts';
import {
  type ContestedObject,
  type Diagnostic,
  objectKey,
  type ObjectReference,
} from '../../compiler/index.ts';
import { referenceTo } from '../../compiler/model/inventory.ts';
import { contestedWords } from '../../compiler/report/status-words.ts';
import type { ObjectMeta } from '../../base/objects/object-meta.ts';
import { clusterResource, namespacedResource } from '../../client/resource.ts';
import { addOnGroup, clusterGroup } from '../../../schemas/groups.ts';
import { isJsonMap } from '../../base/json/json-map.ts';
import type { HubLists } from './hub-lists.ts';

/** The kinds that the output always has, so that a second engine on any of an app's objects is noticed. */
const resources = [
  clusterResource(`${addOnGroup}/v1alpha1`, 'ClusterManagementAddOn', 'clustermanagementaddons'),
  namespacedResource(`${addOnGroup}/v1alpha1`, 'AddOnDeploymentConfig', 'addondeploymentconfigs'),
  namespacedResource(`${clusterGroup}/v1beta1`, 'Placement', 'placements'),
];

/** Reports once the objects that both Argo CD and Flux apply: each engine overwrites and prunes what the other applies. */
export async function twoEngines(hub: HubLists): Promise<readonly Diagnostic[]> {
  const contested = await contestedObjects(hub);
  const [first] = contested;
  if (first === undefined) return [];
  return [
    diagnostic('FW9185', {
      message: contestedWords(contested),
      object: first.reference,
      hint: 'disable pruning of the earlier one, wait until it is applied, and then delete it',
    }),
  ];
}

/** An object that two engines apply, with a reference to it. */
export interface ContestedReference extends ContestedObject {
  readonly reference: ObjectReference;
}

/** Returns the objects on the hub that both Argo CD and Flux apply, by their marks. */
export async function contestedObjects(hub: HubLists): Promise<readonly ContestedReference[]> {
  const contested: ContestedReference[] = [];
  for (const resource of resources)
    for (const { metadata } of (await hub.list(resource)) ?? []) {
      const engines = [...enginesOf(metadata)];
      if (engines.length < 2) continue;
      const { namespace, name = '' } = metadata;
      const reference = referenceTo({ ...resource, metadata });
      contested.push({ object: `${resource.kind} ${objectKey(namespace, name)}`, engines, reference });
    }
  return contested;
}

const managers: ReadonlyMap<string, string> = new Map([
  ['argocd-controller', 'Argo CD'],
  ['argocd-application-controller', 'Argo CD'],
  ['kustomize-controller', 'Flux'],
]);

/** Returns the engines that the marks and the managed fields of an object name. */
function enginesOf(metadata: ObjectMeta): ReadonlySet<string> {
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
