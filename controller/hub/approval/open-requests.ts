import type { Change } from '../../cache/informer.ts';
import { keyOf, type ApiObject } from '../../kube/object.ts';
import { source, type Source } from '../../queue/controller.ts';
import type { CertificateContext } from './certificate-context.ts';
import { claimKey } from './certificate-requests.ts';

/**
 * The requests that wait, whenever something changes on the hub that decides on them: their add-on's registrations, the
 * acceptance of their cluster, a definition. Other changes, such as of health, come often and say nothing of them.
 */
export function openRequests({ hub: { informers }, requests }: CertificateContext): readonly Source[] {
  const ofClaim = (key: string): readonly string[] =>
    requests.store.by('open', key).map(({ metadata }) => metadata.name);
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
      // These change often, and of few does a request wait.
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
        ? everyOpen(requests.store.list())
        : [],
    ),
  ];
}

/** A template may be that of any add-on, and seldom changes. */
function* everyOpen(requests: Iterable<{ readonly metadata: { readonly name: string } }>): Iterable<string> {
  for (const { metadata } of requests) yield metadata.name;
}

function changed<T extends ApiObject>({ before, after }: Change<T>, part: (object: T) => unknown): boolean {
  if (before === undefined || after === undefined || before === after) return true;
  return JSON.stringify(part(before)) !== JSON.stringify(part(after));
}
