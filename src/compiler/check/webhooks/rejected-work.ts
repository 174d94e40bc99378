import { isOfKind } from '../../api/placement-references.ts';
import { diagnostic, type Diagnostic } from '../../model/diagnostic.ts';
import type { FieldPath } from '../../model/field-path.ts';
import type { Admitted } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import type { HubVersion } from '../../../ocm/hub-version.ts';
import { workGroup } from '../../../../schemas/groups.ts';
import type { Rule } from '../rule.ts';
import { manifestsRejection } from './manifests-verdict.ts';

/**
 * Reports ManifestWorks that OCM's webhook rejects, and ManifestWorkReplicaSets whose works it rejects. No configuration of OCM's
 * operator makes the API server call the webhook for the sets themselves, so the hub accepts those.
 */
export const rejectedWork: Rule = {
  codes: ['FW8301'],
  *check({ inventory, hub }) {
    for (const work of inventory.others) {
      if (work.source !== 'app') continue;
      if (isOfKind(work, workGroup, 'ManifestWork')) yield* workRejections(work, hub);
      else if (isOfKind(work, workGroup, 'ManifestWorkReplicaSet')) yield* setRejections(work, hub);
    }
  },
};

interface WorkSpec {
  readonly workload?: { readonly manifests?: readonly unknown[] };
  readonly executor?: { readonly subject?: { readonly type?: string; readonly serviceAccount?: unknown } };
}

const admission =
  'admission webhook "manifestworkvalidators.admission.work.open-cluster-management.io" denied the request';

function* workRejections(work: Admitted, hub: HubVersion): Iterable<Diagnostic> {
  const spec = (work.object['spec'] ?? {}) as WorkSpec;
  const rejection = rejectionOf(spec, hub);
  if (rejection !== undefined) yield finding(work, rejection, ['spec'], admission);
}

function* setRejections(set: Admitted, hub: HubVersion): Iterable<Diagnostic> {
  const { manifestWorkTemplate = {} } = (set.object['spec'] ?? {}) as { manifestWorkTemplate?: WorkSpec };
  const rejection = rejectionOf(manifestWorkTemplate, hub);
  if (rejection !== undefined)
    yield finding(
      set,
      rejection,
      ['spec', 'manifestWorkTemplate'],
      `the hub accepts the set, and rejects each of its works: ${admission}`,
    );
}

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
  const { type, serviceAccount } = executor?.subject ?? {};
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
