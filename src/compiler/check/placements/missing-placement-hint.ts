import { closestNames } from '../../../base/collections/closest-names.ts';
import { identityOfKey } from '../../model/inventory.ts';
import { orExternal } from '../../model/missing-object.ts';
import { listed } from '../../model/words.ts';

/**
 * Returns the hint for a Placement that does not exist: one with a similar name in the same namespace, or with the same name in
 * another one.
 *
 * @param key - `namespace/name`
 * @param existing - the Placements that exist, in the same form
 * @param fields - the fields that may be wrong, such as `its name`
 */
export function missingPlacementHint(key: string, existing: Iterable<string>, fields: string): string {
  const { namespace, name } = identityOfKey(key);
  const identities = [...existing].map((each) => ({ key: each, ...identityOfKey(each) }));
  const beside = identities.filter((each) => each.namespace === namespace);
  const similar = new Set(
    closestNames(
      name,
      beside.map((each) => each.name),
    ),
  );
  const meant = [
    ...beside.filter((each) => similar.has(each.name)),
    ...identities.filter((each) => each.namespace !== namespace && each.name === name),
  ].slice(0, 3);
  const create = `create the Placement, correct ${fields}, ${orExternal}`;
  return meant.length === 0
    ? create
    : `did you mean ${listed(
        meant.map((each) => each.key),
        'or',
      )}? Otherwise ${create}`;
}
