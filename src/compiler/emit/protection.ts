import { ocmKinds } from '../../../schemas/kinds.ts';
import { addOnGroup } from '../../../schemas/groups.ts';
import { withAnnotations } from '../../ocm/annotations.ts';
import { revisionOfAnnotation } from '../../ocm/fleetwright-annotations.ts';
import { configKindKey } from '../../ocm/referent.ts';
import { isJsonList, isJsonMap } from '../../base/json/json-map.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { groupOf, guessResource, kindKey } from '../../base/names/resource-name.ts';
import { keptByFlux, type Engine } from './engine.ts';

/** The annotations by which Argo CD does not prune an object, and does not report it as a difference. */
const argoCdProtection = {
  'argocd.argoproj.io/sync-options': 'Prune=false',
  'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
} as const;

/**
 * Kinds of objects that others use and that do nothing alone. Whether anything still uses one is a fact of the hub: clusters of a
 * rollout use the configurations of a commit that Git has long replaced, and an add-on names a Placement until it is applied again.
 * No commit knows that, so no commit may delete these objects. A Namespace and a CustomResourceDefinition delete others.
 */
const usedKinds: ReadonlySet<string> = new Set([
  '/Namespace',
  'apiextensions.k8s.io/CustomResourceDefinition',
  'rbac.authorization.k8s.io/Role',
  'rbac.authorization.k8s.io/ClusterRole',
  ocmKinds.managedClusterSet.key,
  ocmKinds.managedClusterSetBinding.key,
  ocmKinds.placement.key,
  ocmKinds.addOnTemplate.key,
  ocmKinds.addOnDeploymentConfig.key,
]);

/** Returns whether the hub may use an object of an app longer than Git has it. */
export type IsUsed = (object: KubernetesObject) => boolean;

/**
 * Returns a function that recognizes the objects of an app that add-ons use: by their kind, never by who refers to them, because
 * an object has to be protected before the commit that removes the last reference to it. Besides the kinds above, these are the
 * kinds of configuration that an add-on of the app supports, immutable objects, and the configuration of a cluster of an add-on
 * that placements install.
 */
export function usedObjects(objects: readonly KubernetesObject[]): IsUsed {
  const configKinds = new Set<string>();
  const installedByPlacements = new Set<string>();
  for (const { apiVersion, kind, metadata, spec } of objects) {
    if (kindKey({ apiVersion, kind }) !== ocmKinds.clusterManagementAddOn.key || !isJsonMap(spec)) continue;
    for (const list of [spec['supportedConfigs'], spec['defaultConfigs']])
      for (const config of isJsonList(list) ? list : []) {
        if (!isJsonMap(config)) continue;
        const { group, resource } = config;
        if (typeof resource !== 'string') continue;
        configKinds.add(configKindKey({ group: typeof group === 'string' ? group : '', resource }));
      }
    const strategy = spec['installStrategy'];
    if (isJsonMap(strategy) && strategy['type'] === 'Placements')
      installedByPlacements.add(metadata.name ?? '');
  }
  return (object) => {
    const { apiVersion, kind, metadata } = object;
    const key = kindKey(object);
    // The add-on owns it, so Argo CD never prunes it. Flux would, and the hub would uninstall the add-on from the cluster.
    if (key === ocmKinds.managedClusterAddOn.key) return installedByPlacements.has(metadata.name ?? '');
    if (usedKinds.has(key) || metadata.annotations?.[revisionOfAnnotation] !== undefined) return true;
    return configKinds.has(configKindKey({ group: groupOf(apiVersion), resource: guessResource(kind) }));
  };
}

/**
 * Returns the object with the annotations by which the engine does not delete it when Git no longer has it. An object that sets
 * its own option is left as it is. A removed app still takes its objects along with Argo CD, after the add-ons.
 */
export function protectedFromPruning(object: KubernetesObject, engine: Engine): KubernetesObject {
  if (engine === 'none' || isProtected(object, engine)) return object;
  if (engine === 'flux') return keptByFlux(object);
  if (kindKey(object) === `${addOnGroup}/${ocmKinds.managedClusterAddOn.kind}`) return object;
  const { annotations = {} } = object.metadata;
  const options = Object.entries(argoCdProtection).map(([name, option]) => [
    name,
    [...optionsIn(annotations[name]), option].join(','),
  ]);
  return withAnnotations(object, Object.fromEntries(options) as Record<string, string>);
}

/** Whether an object of its own accord says if the engine may delete it. */
function isProtected({ metadata }: KubernetesObject, engine: Exclude<Engine, 'none'>): boolean {
  const { annotations = {} } = metadata;
  if (engine === 'flux') return annotations['kustomize.toolkit.fluxcd.io/prune'] !== undefined;
  return optionsIn(annotations['argocd.argoproj.io/sync-options']).some((option) =>
    option.startsWith('Prune='),
  );
}

function optionsIn(list: string | undefined): readonly string[] {
  return (list ?? '')
    .split(',')
    .map((option) => option.trim())
    .filter((option) => option !== '');
}
