import type { KubernetesObject } from '../../../kubernetes/object-meta.ts';
import type { ApiClient } from '../../hub/client/api-client.ts';
import { ocmKinds } from '../../hub/client/kinds.ts';
import { eventually } from './eventually.ts';

/** Adds a pre-delete hook to the app of an add-on with compiled delivery, which the companion is to run. */
export function withHook(app: string): string {
  const hook =
    '{ apiVersion: batch/v1, kind: Job, metadata: { name: bye, namespace: default, annotations: { addon.open-cluster-management.io/addon-pre-delete: "" } } }';
  return app
    .replace('      manifests:\n', `$&      - ${hook}\n`)
    .replace(
      /"?fleetwright\.dev\/delivery"?: ?"?compiled"?/,
      '$&, "fleetwright.dev/pre-delete-hooks": "run"',
    );
}

/** The works of an add-on, by the ends of their names, each with whether it is being deleted. */
export async function worksOf(hub: ApiClient, addOn: string): Promise<readonly string[]> {
  const prefix = `addon-${addOn}-`;
  return (await hub.list(...ocmKinds.manifestWork))
    .filter(({ metadata: { name = '' } }) => name.startsWith(prefix))
    .map(({ metadata: { name = '', namespace = '', deletionTimestamp } }) =>
      [namespace, name.slice(prefix.length), ...(deletionTimestamp === undefined ? [] : ['deleted'])].join(
        ' ',
      ),
    )
    .sort();
}

/** Waits until the companion would run the hooks of an add-on on all of these clusters. */
export async function untilHooked(hub: ApiClient, addOn: string, clusters: readonly string[]): Promise<void> {
  await eventually(`the hooks of ${addOn} keep it`, async () => {
    const onClusters = await Promise.all(
      clusters.map(async (cluster) => await hub.get(...ocmKinds.managedClusterAddOn, addOn, cluster)),
    );
    return onClusters.every((onCluster) => (onCluster?.metadata.finalizers ?? []).length > 0);
  });
}

/** Reports the hook of an add-on as complete, as the agents of the clusters do. */
export async function completeHooks(
  hub: ApiClient,
  addOn: string,
  clusters: readonly string[],
): Promise<void> {
  for (const cluster of clusters) {
    const work = (await hub.get(...ocmKinds.manifestWork, `addon-${addOn}-pre-delete`, cluster)) as HookWork;
    const manifests = work.spec.manifestConfigs.map(({ resourceIdentifier }, ordinal) => ({
      conditions: [],
      resourceMeta: { ordinal, version: 'v1', kind: 'Job', ...resourceIdentifier },
      statusFeedback: { values: [{ name: 'JobComplete', fieldValue: { type: 'String', string: 'True' } }] },
    }));
    await hub.merge(work, { status: { resourceStatus: { manifests } } }, 'status');
  }
}

interface HookWork extends KubernetesObject {
  readonly spec: { readonly manifestConfigs: readonly { readonly resourceIdentifier: object }[] };
}
