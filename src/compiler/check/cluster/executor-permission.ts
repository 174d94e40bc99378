import { addToGroup } from '../../../base/collections/groups.ts';
import { counted, listed, quote } from '../../model/words.ts';
import { tally, type Tallied } from '../templates/tally.ts';
import type { Rule } from '../rule.ts';
import { deliveriesOf, isReported, type DeliveredManifest, type Delivery } from './deliveries.ts';
import { found } from './report.ts';
import { executedDeliveries, executorsOf, type ExecutorAnswer, type RefusedManifest } from './executors.ts';
import { namespaceOf, type Refusal } from './executor-refusal.ts';
import { roleWords } from './granted-roles.ts';

/**
 * Reports manifests of works with an executor that its ServiceAccount may not write, and executors whose permissions no manifest
 * contains. The work agent checks each manifest before it applies it, and tries those that it refused again after a minute.
 */
export const executorPermission: Rule = {
  codes: ['FW8319', 'FW8323'],
  check(input) {
    const executors = executorsOf(input);
    return tally(
      executedDeliveries(deliveriesOf(input))
        .filter(isReported)
        .flatMap((delivery) =>
          executors
            .answersTo(delivery)
            .flatMap(({ answer, clusters }) => [...findingsOf(delivery, answer, clusters.length)]),
        ),
    );
  },
};

function* findingsOf(delivery: Delivery, answer: ExecutorAnswer, clusters: number): Iterable<Tallied> {
  if (!answer.isKnown) {
    yield unknown(delivery, answer, clusters);
    return;
  }
  const groups = new Map<string, [DeliveredManifest, RefusedManifest][]>();
  for (const entry of answer.refused) {
    addToGroup(groups, groupOf(entry), entry);
  }
  for (const entries of groups.values()) {
    const [first] = entries;
    if (first === undefined) continue;
    const [manifest, { refusal, isCircular }] = first;
    const others = entries.length === 1 ? '' : ` and ${counted(entries.length - 1, 'other object')}`;
    const { denied, because, hint } = isCircular ? circular : wordsOf(refusal, manifest);
    yield found('FW8319', delivery, {
      path: manifest.path,
      message: `${accountWords(answer)}, the executor of ${delivery.words}, may not ${denied} ${manifest.words}${others}${because === undefined ? '' : `: ${because}`}`,
      hint,
      clusters,
    });
  }
}

/** Objects of one resource and namespace lack the same rule, and a circle is one mistake. Each role or binding has its own reason. */
function groupOf([manifest, { refusal, isCircular }]: readonly [DeliveredManifest, RefusedManifest]): string {
  if (isCircular) return '';
  const { group, resource } = manifest.resource;
  const objects = refusal.reason === 'verbs' ? [group, resource, namespaceOf(manifest)] : manifest.resource;
  return JSON.stringify([refusal, objects]);
}

function unknown(delivery: Delivery, answer: ExecutorAnswer, clusters: number): Tallied {
  const { missing } = answer;
  const problem =
    missing.length === 0
      ? 'no manifest binds a role to it'
      : `no manifest contains ${listed(missing)}, which ${missing.length === 1 ? 'is' : 'are'} bound to it`;
  return found('FW8323', delivery, {
    path: [...(delivery.optionsPath ?? []), 'executor', 'subject', 'serviceAccount'],
    message: `the permissions of ${accountWords(answer)}, the executor of ${delivery.words}, are not known: ${problem}`,
    hint: 'deliver its roles and bindings in a work without an executor, or list the ServiceAccount under external in fleetwright.yaml if the clusters grant its permissions',
    clusters,
  });
}

function accountWords({ account: { namespace, name } }: ExecutorAnswer): string {
  return `ServiceAccount ${namespace}/${name}`;
}

/** How messages describe a refusal. */
interface RefusalWords {
  /** What the ServiceAccount may not do. */
  readonly denied: string;
  readonly because?: string;
  readonly hint: string;
}

const circular: RefusalWords = {
  denied: 'write',
  because: 'only manifests that are refused themselves allow it',
  hint: 'deliver the roles and bindings of the ServiceAccount in a work without an executor',
};

function wordsOf(refusal: Refusal, manifest: DeliveredManifest): RefusalWords {
  const resource = quote(manifest.resource.resource);
  const namespace = namespaceOf(manifest);
  const where =
    namespace === ''
      ? 'in a ClusterRole, and bind it with a ClusterRoleBinding'
      : `in namespace ${quote(namespace)}, in a role that is bound to the ServiceAccount`;
  const { reason } = refusal;
  if (reason === 'verbs')
    return {
      denied: isEverything(refusal.verbs) ? 'write' : listed(refusal.verbs, 'or'),
      hint: `allow ${listed(refusal.verbs)} of ${resource} ${where}; the update strategy does not count`,
    };
  if (reason === 'names')
    return {
      denied: quote('create'),
      because: 'a rule with resourceNames does not allow it',
      hint: `allow "create" of ${resource} without resourceNames ${where}`,
    };
  const otherwise = 'or deliver the manifest in a work without an executor';
  if (reason === 'rules' || reason === 'aggregation')
    return {
      denied: 'write',
      because:
        reason === 'rules'
          ? 'it does not have all permissions of the rules itself'
          : 'only an administrator may write an aggregationRule',
      hint: `allow "escalate" of ${resource} ${where}, ${otherwise}`,
    };
  const role = roleWords(refusal.role, refusal.namespace);
  return {
    denied: 'write',
    because:
      reason === 'role' ? `${role} does not exist` : `it does not have all permissions of ${role} itself`,
    hint: `allow "bind" of ${role} ${where}, ${otherwise}`,
  };
}

function isEverything(verbs: readonly string[]): boolean {
  return ['create', 'update', 'patch', 'get'].every((verb) => verbs.includes(verb));
}
