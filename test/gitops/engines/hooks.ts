import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
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

/** Adds a manifest and a hook for the hosting cluster to an app with a hook. */
export function withHostedHook(app: string): string {
  const location = 'addon.open-cluster-management.io/hosted-manifest-location: hosting';
  const manifests = [
    `{ apiVersion: v1, kind: ConfigMap, metadata: { name: host, namespace: default, annotations: { ${location} } } }`,
    `{ apiVersion: batch/v1, kind: Job, metadata: { name: bye-host, namespace: default, annotations: { ${location}, addon.open-cluster-management.io/addon-pre-delete: "" } } }`,
  ];
  return withHook(app).replace(
    '      manifests:\n',
    `$&${manifests.map((manifest) => `      - ${manifest}\n`).join('')}`,
  );
}

/** Names the hosting cluster of another cluster in a fleet. */
export function hostedBy(fleet: string, cluster: string, host: string): string {
  return fleet.replace(
    `metadata: { name: ${cluster},`,
    `$& annotations: { addon.open-cluster-management.io/hosting-cluster-name: ${host} },`,
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

/** Waits until the companion would run the hooks of an add-on on all of these clusters. @param count - its finalizers on each */
export async function untilHooked(
  hub: ApiClient,
  addOn: string,
  clusters: readonly string[],
  count = 1,
): Promise<void> {
  await eventually(`the hooks of ${addOn} keep it`, async () => {
    const onClusters = await Promise.all(
      clusters.map(async (cluster) => await hub.get(...ocmKinds.managedClusterAddOn, addOn, cluster)),
    );
    return onClusters.every((onCluster) => (onCluster?.metadata.finalizers ?? []).length >= count);
  });
}

/**
 * Reports the hook of an add-on as complete, as the agents of the clusters do.
 *
 * @param hostedFor - the managed cluster, for the hooks on its hosting cluster
 */
export async function completeHooks(
  hub: ApiClient,
  addOn: string,
  clusters: readonly string[],
  hostedFor?: string,
): Promise<void> {
  const name = `addon-${addOn}-pre-delete${hostedFor === undefined ? '' : `-hosting-${hostedFor}`}`;
  for (const cluster of clusters) {
    const work = (await hub.get(...ocmKinds.manifestWork, name, cluster)) as HookWork;
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
