import { isJsonMap } from '../../../base/json/json-map.ts';
import { diagnostic, type Diagnostic } from '../../model/diagnostic.ts';
import type { FieldPath } from '../../model/field-path.ts';
import type { Admitted } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import type { HubVersion } from '../../../ocm/hub-version.ts';
import { writtenWorks, type WorkSpec } from '../cluster/deliveries.ts';
import type { Rule } from '../rule.ts';
import { manifestsRejection } from './manifests-verdict.ts';

/**
 * Reports ManifestWorks that OCM's webhook rejects, and ManifestWorkReplicaSets whose works it rejects. No configuration of OCM's
 * operator makes the API server call the webhook for the sets themselves, so the hub accepts those.
 */
export const rejectedWork: Rule = {
  codes: ['FW8301'],
  *check({ inventory, hub }) {
    for (const { work, spec, path } of writtenWorks(inventory)) {
      const rejection = work.source === 'app' ? rejectionOf(spec, hub) : undefined;
      if (rejection === undefined) continue;
      const isSet = work.object.kind === 'ManifestWorkReplicaSet';
      yield finding(
        work,
        rejection,
        path,
        isSet ? `the hub accepts the set, and rejects each of its works: ${admission}` : admission,
      );
    }
  },
};

const admission =
  'admission webhook "manifestworkvalidators.admission.work.open-cluster-management.io" denied the request';

interface Rejection {
  readonly message: string;
  readonly path: FieldPath;
  readonly related?: FieldPath;
  readonly hint: string;
}

function rejectionOf({ workload, executor }: WorkSpec, hub: HubVersion): Rejection | undefined {
  const rejection = manifestsRejection(workload?.manifests ?? [], hub);
  const list = ['workload', 'manifests'];
  if (rejection !== undefined) {
    const { message, path, first, hint } = rejection;
    return {
      message,
      path: [...list, ...path],
      hint,
      ...(first === undefined ? {} : { related: [...list, first] }),
    };
  }
  // as validateExecutor; whether the user may execute as the account is for the hub to decide
  const subject = isJsonMap(executor) && isJsonMap(executor['subject']) ? executor['subject'] : {};
  const { type, serviceAccount } = subject;
  if (type !== 'ServiceAccount' || (serviceAccount !== undefined && serviceAccount !== null))
    return undefined;
  return {
    message: 'executor service account can not be nil',
    path: ['executor', 'subject'],
    hint: 'add serviceAccount with the namespace and the name of an account of the managed cluster',
  };
}

function finding(
  holder: Admitted,
  { message, path, related, hint }: Rejection,
  base: FieldPath,
  words: string,
): Diagnostic {
  return diagnostic('FW8301', {
    message: `${words}: ${message}`,
    ...pointAt(holder, [...base, ...path]),
    hint,
    ...(related === undefined
      ? {}
      : { related: [{ message: 'the first one', location: holder.origin.locate([...base, ...related]) }] }),
  });
}
