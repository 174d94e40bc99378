import { policyRulesOf, type PolicyRule } from '../../../base/authorization/policy-rule.ts';
import { oncePerPart } from '../../../base/collections/joined-lists.ts';
import { oncePer } from '../../../base/collections/once-per.ts';
import { addToGroup } from '../../../base/collections/groups.ts';
import { isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import { isOwned, updateStrategyOf } from '../../../ocm/clusters/manifest-options.ts';
import {
  aggregatingLabels,
  deniedToAgent,
  deniedVerbs,
  verbsOf,
  workAgentRules,
} from '../../../ocm/clusters/work-agent-permissions.ts';
import { hubKinds } from '../../../ocm/clusters/hub-kinds.ts';
import { listed } from '../../model/words.ts';
import { tally, type Tallied } from '../templates/tally.ts';
import type { Rule } from '../rule.ts';
import { deliveriesOf, isReported, type DeliveredManifest, type Delivery } from './deliveries.ts';
import { found } from './report.ts';

/**
 * Reports manifests that klusterlet-work-sa may not write, and those that it may write and not delete. It does both also for works with
 * an executor, whose permissions it only checks before.
 */
export const agentPermission: Rule = {
  codes: ['FW8312', 'FW8324'],
  check(input) {
    const deliveries = deliveriesOf(input);
    const restricted = restrictedDeliveries(deliveries);
    if (restricted.length === 0) return [];
    const granted = grantsOf(deliveries);
    return tally(
      restricted.flatMap((delivery) => [...forbidden(delivery, granted), ...undeletable(delivery, granted)]),
    );
  },
};

/** Returns the deliveries with manifests that the agent may not write or delete without further rules. */
const restrictedDeliveries = oncePerPart((part: readonly Delivery[]) =>
  part.filter(
    (delivery) => isReported(delivery) && deniedIn(delivery).length + undeletableIn(delivery).length > 0,
  ),
);

/** The rules of ClusterRoles among the manifests that the work agent aggregates, by cluster. */
type Grants = ReadonlyMap<string, readonly PolicyRule[]>;

const aggregatedIn = oncePer(({ objects }: Delivery) =>
  objects.flatMap((manifest) => (isAggregated(manifest) ? policyRulesOf(manifest.object) : [])),
);

function grantsOf(deliveries: readonly Delivery[]): Grants {
  const grants = new Map<string, PolicyRule[]>();
  for (const delivery of deliveries) {
    const rules = aggregatedIn(delivery);
    if (rules.length === 0) continue;
    for (const cluster of delivery.clusters) for (const rule of rules) addToGroup(grants, cluster, rule);
  }
  return grants;
}

function isAggregated({ kindKey, object }: DeliveredManifest): boolean {
  if (kindKey !== 'rbac.authorization.k8s.io/ClusterRole') return false;
  const labels = (object['metadata'] as JsonMap)['labels'];
  return isJsonMap(labels) && aggregatingLabels.some((label) => labels[label] === 'true');
}

/** Returns the manifests that the agent may not write without further rules, and the verbs that it needs. */
const deniedIn = oncePer(({ objects, options }: Delivery) =>
  objects.flatMap((manifest) => {
    const { kindKey, resource } = manifest;
    // a separate rule reports these
    if (hubKinds.has(kindKey)) return [];
    const verbs = verbsOf(updateStrategyOf(options, resource));
    return deniedToAgent(verbs, resource).length === 0 ? [] : [{ manifest, verbs }];
  }),
);

/** Returns the manifests that the agent may write and, without further rules, not delete, and the verbs that it needs to write them. */
const undeletableIn = oncePer(({ objects, options }: Delivery) =>
  objects.flatMap((manifest) => {
    const { kindKey, resource } = manifest;
    const verbs = verbsOf(updateStrategyOf(options, resource));
    if (hubKinds.has(kindKey) || verbs.length === 0 || !isOwned(options, resource)) return [];
    return deniedToAgent(['delete'], resource).length === 0 ? [] : [{ manifest, verbs }];
  }),
);

/** Reports all kinds of a delivery together: one ClusterRole allows them all. */
function* forbidden(delivery: Delivery, granted: Grants): Iterable<Tallied> {
  const { clusters } = delivery;
  if (!isReported(delivery)) return;
  const denied = deniedIn(delivery);
  const [first] = denied;
  if (first === undefined) return;
  const lacking = clusters.filter((cluster) => {
    const all = [...workAgentRules, ...(granted.get(cluster) ?? [])];
    return denied.some(({ manifest, verbs }) => deniedVerbs(all, verbs, manifest.resource).length > 0);
  });
  if (lacking.length === 0) return;
  const kinds = [...new Set(denied.map(({ manifest }) => manifest.kind))].sort();
  yield found('FW8312', delivery, {
    path: [...first.manifest.path, 'kind'],
    message: `klusterlet-work-sa may not write ${listed(kinds)} of ${delivery.words}`,
    hint: 'deliver a ClusterRole with rules for these kinds and the label open-cluster-management.io/aggregate-to-work: "true", or create it on the clusters',
    clusters: lacking.length,
  });
}

/**
 * Reports all kinds of a delivery together. As appliedManifestWorkReconciler, which tries again, and reports nothing. When the whole work
 * is deleted, the garbage collector of the cluster deletes the objects.
 */
function* undeletable(delivery: Delivery, granted: Grants): Iterable<Tallied> {
  const { clusters, words } = delivery;
  if (!isReported(delivery)) return;
  const kept = undeletableIn(delivery);
  const keptOn = (cluster: string): typeof kept => {
    const all = [...workAgentRules, ...(granted.get(cluster) ?? [])];
    return kept.filter(
      ({ manifest: { resource }, verbs }) =>
        deniedVerbs(all, verbs, resource).length === 0 && deniedVerbs(all, ['delete'], resource).length > 0,
    );
  };
  const keeping = kept.length === 0 ? [] : clusters.filter((cluster) => keptOn(cluster).length > 0);
  const manifests = keptOn(keeping[0] ?? '').map(({ manifest }) => manifest);
  const [first] = manifests;
  if (first === undefined || keeping.length === 0) return;
  const kinds = [...new Set(manifests.map(({ kind }) => kind))].sort();
  yield found('FW8324', delivery, {
    path: [...first.path, 'kind'],
    message: `klusterlet-work-sa may not delete ${listed(kinds)} of ${words}, so that an object that leaves the manifests stays on the cluster`,
    hint: 'deliver a ClusterRole that allows delete, with the label open-cluster-management.io/aggregate-to-work: "true"; or remove these objects in another way when they leave the manifests',
    clusters: keeping.length,
  });
}
