import { diagnostic } from '../../model/diagnostic.ts';
import { placementFollowers, type FollowerKind } from '../../api/placement-followers.ts';
import { identityOfKey } from '../../model/inventory.ts';
import { unansweredReference } from '../../model/missing-object.ts';
import { missingPlacementHint } from './missing-placement-hint.ts';
import { pointAt } from '../../model/point-at.ts';
import type { Rule } from '../rule.ts';
import { clusterGroup } from '../../../../schemas/groups.ts';

/** The effect of a missing Placement on each kind of object. Policies are bound by PlacementBindings. */
const consequences: Readonly<Record<Exclude<FollowerKind, 'Policy' | 'PolicySet'>, string>> = {
  ApplicationSet: 'it creates no Application',
  GitOpsCluster: 'Argo CD receives no cluster',
  ManifestWorkReplicaSet:
    'the hub neither creates nor updates works for this Placement and those after it; existing works remain',
  PlacementBinding: 'it binds nothing',
  Subscription: 'it deploys to no cluster',
};

/** Reports Policies, ApplicationSets, works and other objects whose Placement does not exist. */
export const missingFollowedPlacement: Rule = {
  codes: ['FW7024', 'FW7026'],
  *check({ inventory, decisions }) {
    // A binding can bind many policies.
    const reported = new Set<string>();
    for (const { kind, references } of placementFollowers(inventory)) {
      const holderKind = kind === 'Policy' || kind === 'PolicySet' ? 'PlacementBinding' : kind;
      for (const reference of references) {
        const { holder, key, path } = reference;
        if (reference.kind !== 'Placement' || decisions.byPlacement.has(key)) continue;
        const identity = { group: clusterGroup, kind: 'Placement', ...identityOfKey(key) };
        const existence = inventory.elsewhere.existence(identity);
        if (existence === 'exists') continue;
        const at = pointAt(holder, path);
        const place = JSON.stringify([at.object, at.path]);
        if (reported.has(place)) continue;
        reported.add(place);
        yield existence === 'unknown'
          ? diagnostic('FW7026', { ...unansweredReference(identity, inventory.elsewhere), ...at })
          : diagnostic('FW7024', {
              message: `Placement "${key}" does not exist: ${consequences[holderKind]}`,
              ...at,
              hint: missingPlacementHint(key, decisions.byPlacement.keys(), 'its name'),
            });
      }
    }
  },
};
