import { afterEarlier, conditionOf, isUnchanged } from '../../../base/objects/condition.ts';
import { timestamp } from '../../../client/clock.ts';
import { Budgets } from '../../events/budgets.ts';
import { keyOf, nameOfKey } from '../../../client/object.ts';
import { source, type Controller } from '../../queue/controller.ts';
import type { CompanionCondition } from '../../../ocm/companion-conditions.ts';
import { managedClusterAddOns } from '../../add-on/managed-cluster-add-ons.ts';

import type { CertificateContext } from './certificate-context.ts';
import { others } from './certificate-requests.ts';

/**
 * The condition of a ManagedClusterAddOn that reports whether its requests get certificates. It exists once one was
 * refused.
 */
const conditionType: CompanionCondition = 'CertificateRequestsServed';

/** The field manager of that condition, separate from the other status fields that the companion writes. */
const fieldManager = 'fleetwright-controller-certificates';

/** How long a condition stays at least, in milliseconds: a flood of requests must not cause a flood of writes. */
const leastPause = 5000;

/**
 * Limits conditions that report requests from others than the cluster's agent: this number at once on all clusters
 * together, and one more after each number of milliseconds. Anyone who may create requests can send one in the name
 * of every cluster.
 */
const ofOthers = { burst: 20, refill: 10_000 };

/**
 * Reports in a condition of an add-on which check a request for it failed, and resets it when none is refused any
 * more.
 */
export function conditionController({
  hub,
  refusals,
}: Pick<CertificateContext, 'hub' | 'refusals'>): Controller {
  const { managedClusterAddOns: addOns } = hub.informers;
  /** When an add-on was last checked: in a flood, not every request may cause a check of all others. */
  const checkedAt = new Map<string, number>();
  const budgets = new Budgets({ clock: hub.clock, ...ofOthers });
  // The refusals are known only after the waiting requests were checked.
  const startedAt = hub.clock.elapsed();
  return {
    name: 'certificate-condition',
    sources: [
      refusals,
      source(addOns, ({ before, after }) =>
        before === undefined && after !== undefined ? [keyOf(after)] : [],
      ),
    ],
    reconcile: async (key) => {
      const addOn = addOns.store.get(key);
      if (addOn === undefined) {
        checkedAt.delete(key);
        return undefined;
      }
      const current = conditionOf(addOn.status?.conditions, conditionType);
      if (current === undefined && !refusals.has(key)) return undefined;
      const pause = (checkedAt.get(key) ?? startedAt) + leastPause - hub.clock.elapsed();
      if (pause > 0) return { requeueAfter: pause };
      checkedAt.set(key, hub.clock.elapsed());
      const refused = refusals.foremost(key);
      const desired =
        refused === undefined
          ? { status: 'True' as const, reason: 'NoneRefused', message: 'no certificate request is refused' }
          : { status: 'False' as const, reason: refused.reason, message: refused.message };
      if (isUnchanged(current, desired)) return undefined;
      if (refused?.isFromAgent === false && !budgets.take(others))
        return { requeueAfter: Math.max(leastPause, budgets.wait(others)) };
      const lastTransitionTime = timestamp(hub.clock.now());
      const applied = {
        apiVersion: addOn.apiVersion,
        kind: addOn.kind,
        metadata: { ...nameOfKey(key), uid: addOn.metadata.uid },
        status: {
          conditions: [afterEarlier(current, { type: conditionType, ...desired, lastTransitionTime })],
        },
      };
      await hub.client.apply(managedClusterAddOns, applied, { subresource: 'status', fieldManager });
      return undefined;
    },
  };
}
