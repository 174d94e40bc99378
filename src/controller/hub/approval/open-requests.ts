import type { Change } from '../../cache/informer.ts';
import { keyOf, type ApiObject, type ObjectKey, type Stored } from '../../../client/object.ts';
import { source, type Source } from '../../queue/controller.ts';
import type { CertificateContext } from './certificate-context.ts';
import { claimKey, pendingClaim, type CachedRequest, type RequestInformer } from './certificate-requests.ts';

/**
 * Returns the pending requests of a cluster's agent for an add-on that are judged: the oldest ones. The others wait
 * until these are decided or gone, so that the work that a party can cause at once is bounded.
 */
export function judgedRequests(
  { store }: Pick<RequestInformer, 'store'>,
  claim: ObjectKey,
  most: number,
): readonly Stored<CachedRequest>[] {
  const pending = store.by('pending', claim);
  return pending.length <= most ? pending : pending.toSorted(byAge).slice(0, most);
}

/**
 * Whether a pending request is judged now. Requests that do not come from the agent of their cluster always are: they
 * fail a cheap check.
 */
export function isJudged(
  { store }: Pick<RequestInformer, 'store'>,
  request: Stored<CachedRequest>,
  most: number,
): boolean {
  const key = pendingClaim(request);
  if (key === undefined || store.count('pending', key) <= most) return true;
  let older = 0;
  for (const other of store.by('pending', key)) if (byAge(other, request) < 0) older += 1;
  return older < most;
}

function byAge(one: Stored<CachedRequest>, other: Stored<CachedRequest>): number {
  const { creationTimestamp: at, name } = one.metadata;
  const { creationTimestamp: otherAt, name: otherName } = other.metadata;
  if (at !== otherAt) return at < otherAt ? -1 : 1;
  return name < otherName ? -1 : name > otherName ? 1 : 0;
}

/** Returns a source of each request that changed, and of the request that is judged next because of that. */
export function changedRequests({ requests, limits }: CertificateContext): Source {
  return source(requests, ({ before, after }) => {
    const names = [(after ?? before).metadata.name];
    const claimBefore = before && pendingClaim(before);
    if (claimBefore === undefined || claimBefore === (after && pendingClaim(after))) return names;
    if (requests.store.count('pending', claimBefore) < limits.openRequests) return names;
    const next = judgedRequests(requests, claimBefore, limits.openRequests).at(-1);
    return next === undefined ? names : [...names, next.metadata.name];
  });
}

/**
 * Returns a source of the waiting requests, whenever an object changes on the hub that affects them: their add-on's
 * registrations, the acceptance of their cluster, a definition. Other changes, such as of health, are frequent and do
 * not affect them.
 */
export function openRequests({
  hub: { informers },
  requests,
  limits,
}: CertificateContext): readonly Source[] {
  const ofClaim = (key: string): readonly string[] =>
    [...judgedRequests(requests, key, limits.openRequests), ...requests.store.by('unsigned', key)].map(
      ({ metadata }) => metadata.name,
    );
  const ofAddOns = (
    addOns: readonly { readonly metadata: { readonly name: string; readonly namespace?: string } }[],
  ): readonly string[] =>
    addOns.flatMap(({ metadata: { namespace: cluster = '', name: addOn } }) =>
      ofClaim(claimKey({ cluster, addOn })),
    );
  const { managedClusterAddOns, managedClusters, clusterManagementAddOns, addOnTemplates } = informers;
  return [
    source(managedClusterAddOns, (change) => {
      const waiting = ofClaim(keyOf(change.after ?? change.before));
      // These change often, and requests wait for few of them.
      const isConcerned =
        waiting.length > 0 &&
        changed(change, ({ metadata: { uid, deletionTimestamp }, spec, status }) => [
          uid,
          deletionTimestamp,
          spec,
          status?.registrations,
        ]);
      return isConcerned ? waiting : [];
    }),
    source(managedClusters, (change) =>
      changed(change, ({ metadata, spec }) => [metadata.deletionTimestamp, spec?.hubAcceptsClient])
        ? ofAddOns(managedClusterAddOns.store.by('cluster', (change.after ?? change.before).metadata.name))
        : [],
    ),
    source(clusterManagementAddOns, (change) =>
      changed(change, ({ metadata, spec }) => [metadata.annotations, spec])
        ? ofAddOns(managedClusterAddOns.store.by('addOn', (change.after ?? change.before).metadata.name))
        : [],
    ),
    source(addOnTemplates, (change) =>
      changed(change, ({ metadata, spec }) => [metadata.annotations, spec])
        ? everyClaim(requests).flatMap(ofClaim)
        : [],
    ),
  ];
}

/** Any add-on may use a template, and templates seldom change. */
function everyClaim({ store }: Pick<RequestInformer, 'store'>): readonly ObjectKey[] {
  return [...new Set([...store.values('pending'), ...store.values('unsigned')])];
}

function changed<T extends ApiObject>({ before, after }: Change<T>, part: (object: T) => unknown): boolean {
  if (before === undefined || after === undefined || before === after) return true;
  return JSON.stringify(part(before)) !== JSON.stringify(part(after));
}
