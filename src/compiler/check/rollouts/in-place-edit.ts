import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { configObjects } from '../../configure/config-objects.ts';
import { referentKey } from '../../../ocm/referent.ts';
import type { AddOnClusters } from '../../configure/add-on-clusters.ts';
import type { ConfigReference } from '../../configure/resolved-add-on.ts';
import { diagnostic, type Diagnostic } from '../../model/diagnostic.ts';
import { objectKey, type Admitted } from '../../model/inventory.ts';
import { groupResource } from '../../../base/names/resource-name.ts';
import { pointAt } from '../../model/point-at.ts';
import { howToVersion } from '../../revisions/how-to-version.ts';
import { clusterCount } from '../../model/words.ts';
import { hasSeveralWaves, pacedByHub } from './paced-placements.ts';
import type { CheckInput } from '../rule.ts';

/**
 * Reports configurations of a rollout in waves that a change edits in place. The hub renders from the live object, so the new
 * content also reaches clusters of later waves. If the change creates an object with a new name, the hub waits for each wave.
 * Unlike the rules, this function compares two states: before and after the change.
 */
export function inPlaceEdits(before: CheckInput, after: CheckInput): Diagnostic[] {
  const edits = new Map<string, Edit>();
  const hashes = new Map<string, ReadonlyMap<string, string>>();
  for (const paced of pacedByHub(after)) {
    const { addOn, node } = paced;
    if (!hasSeveralWaves(paced) || addOn.isHubOwned === true) continue;
    const addOnBefore = before.configuration.get(addOn.name);
    if (addOnBefore === addOn) continue;
    const earlier = getOrInsertComputed(hashes, addOn.name, () => hashesOf(addOnBefore?.clusters));
    for (const [{ kinds }, { length: clusters }] of node.children.byConfiguration()) {
      for (const { level, reference } of kinds.flatMap(({ winners }) => winners)) {
        const hash = earlier.get(referentKey(reference)) ?? '';
        // A configuration that a ManagedClusterAddOn names itself does not wait for a wave.
        if (level === 'cluster' || hash === '' || hash === reference.specHash) continue;
        const key = JSON.stringify([addOn.name, referentKey(reference)]);
        const edit = edits.get(key) ?? { reference, addOn: addOn.name, clusters: 0 };
        edits.set(key, { ...edit, clusters: edit.clusters + clusters });
      }
    }
  }
  const objects = configObjects(after.inventory);
  return [...edits.values()].flatMap((edit) => {
    const object = objects.find(edit.reference);
    return object === undefined ? [] : [editedInPlace(edit, object)];
  });
}

interface Edit {
  readonly reference: ConfigReference;
  readonly addOn: string;
  readonly clusters: number;
}

function editedInPlace({ reference, addOn, clusters }: Edit, object: Admitted): Diagnostic {
  const { group, resource, namespace, name } = reference;
  return diagnostic('FW7209', {
    message: `${groupResource(group, resource)} "${objectKey(namespace, name)}" is edited in place, so the new content can reach ${clusterCount(clusters)} of add-on "${addOn}" before their wave of the rollout`,
    ...pointAt(object, ['spec']),
    hint:
      howToVersion(object) ??
      'keep the object unchanged, and let the add-on refer to a new object with the new content',
  });
}

function hashesOf(clusters: AddOnClusters | undefined): ReadonlyMap<string, string> {
  const hashes = new Map<string, string>();
  for (const { references } of clusters?.byConfiguration().keys() ?? []) {
    for (const reference of references) hashes.set(referentKey(reference), reference.specHash);
  }
  return hashes;
}
