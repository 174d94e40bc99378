import { configKindKey, referentKey, type Referent } from '../../ocm/referent.ts';
import { groupOf, guessResource } from '../../base/names/resource-name.ts';
import { objectKey } from '../model/inventory.ts';
import type { Resolution } from '../resolve.ts';
import { withNamedConfigs } from './named-configs.ts';
import { followersByPlacement } from './placements/placement-uses.ts';
import { addOnGroup, clusterGroup } from '../../../schemas/groups.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { revisionOfAnnotation } from '../../ocm/fleetwright-annotations.ts';

/** The plural of Placements. */
export const placements = 'placements';

/** Returns the referent for the Placement with that `namespace/name`. */
export function placementReferent(key: string): Referent {
  const [namespace = '', name = ''] = key.split('/');
  return { group: clusterGroup, resource: placements, namespace, name };
}

/**
 * Returns everything that an add-on can use, each once: configurations that exist, configurations that an add-on names even if
 * they do not exist, and Placements.
 */
export function usableObjects(resolution: Resolution): readonly Referent[] {
  const { inventory, configuration, decisions } = resolution;
  const objects = new Map<string, Referent>();
  const add = ({ group, resource, namespace, name }: Referent): void => {
    const referent = { group, resource, ...(namespace && { namespace }), name };
    objects.set(referentKey(referent), referent);
  };
  const kinds = new Set<string>();
  for (const resolved of configuration.values()) {
    for (const kind of resolved.supportedConfigs) kinds.add(configKindKey(kind));
    for (const clusterAddOn of resolved.clusters.values())
      for (const { winners, losers } of withNamedConfigs(clusterAddOn, resolved, resolution).effective.kinds)
        for (const { reference } of [...winners, ...losers]) {
          kinds.add(configKindKey(reference));
          add(reference);
        }
  }
  for (const { object } of inventory.addOnDeploymentConfigs.values())
    add({ group: addOnGroup, resource: 'addondeploymentconfigs', ...identityOf(object) });
  for (const { object } of inventory.addOnTemplates.values())
    add({ group: addOnGroup, resource: 'addontemplates', ...identityOf(object) });
  for (const { object } of inventory.others) {
    const kind = { group: groupOf(object.apiVersion), resource: guessResource(object.kind) };
    if (kinds.has(configKindKey(kind))) add({ ...kind, ...identityOf(object) });
  }
  for (const key of decisions.byPlacement.keys()) add(placementReferent(key));
  for (const key of followersByPlacement(resolution).keys()) add(placementReferent(key));
  return [...objects.values()];
}

/** Returns the names of immutable objects as the user wrote them, by `referentKey`. */
export function writtenNames({
  addOnDeploymentConfigs,
  addOnTemplates,
}: Resolution['inventory']): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const add = (resource: string, { metadata }: Pick<KubernetesObject, 'metadata'>): void => {
    const name = metadata.annotations?.[revisionOfAnnotation];
    if (name !== undefined)
      names.set(referentKey({ group: addOnGroup, resource, ...identityOf({ metadata }) }), name);
  };
  for (const { object } of addOnDeploymentConfigs.values()) add('addondeploymentconfigs', object);
  for (const { object } of addOnTemplates.values()) add('addontemplates', object);
  return names;
}

/**
 * Returns whether a question names the object: by `name`, by `namespace/name`, or with the kind or its plural as a prefix, as in
 * `placement/default/prod`.
 */
export function isNamed({ resource, namespace, name }: Referent, question: string): boolean {
  const key = objectKey(namespace, name);
  if (question === name || question === key) return true;
  const [kind = '', ...rest] = question.split(/[/ ]/);
  const plural = kind.toLowerCase();
  if (plural !== resource && guessResource(plural) !== resource) return false;
  return [name, key].includes(rest.join('/'));
}

function identityOf({ metadata }: { readonly metadata: { namespace?: string; name?: string } }): {
  namespace?: string;
  name: string;
} {
  const { namespace, name = '' } = metadata;
  return { ...(namespace !== undefined && { namespace }), name };
}
