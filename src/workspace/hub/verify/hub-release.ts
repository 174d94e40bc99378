import { isJsonList, isJsonMap } from '../../../base/json/json-map.ts';
import type { KubernetesObject } from '../../../base/objects/object-meta.ts';
import { ApiReader } from '../../../client/api-reader.ts';
import { servedResources, servedVersions } from '../../../client/discovery.ts';
import { clusterResource, namespacedResource, type Resource } from '../../../client/resource.ts';
import { addOnGroup, clusterGroup } from '../../../../schemas/groups.ts';
import { releaseOf, type HubRelease, type Product, type Unasked } from '../../../compiler/verify/index.ts';
import { hubCallOptions, type OpenHub } from '../connect-to-hub.ts';
import { unlessForbidden } from '../unless-forbidden.ts';
import { grant } from './permission-rule.ts';
import { ruleOf } from './served-kinds.ts';

const clusterManagers = clusterResource(
  'operator.open-cluster-management.io/v1',
  'ClusterManager',
  'clustermanagers',
);

/** The products that contain OCM, and the kinds in which they report their versions. */
const products: readonly (readonly [name: string, resource: Resource])[] = [
  [
    'Advanced Cluster Management',
    namespacedResource('operator.open-cluster-management.io/v1', 'MultiClusterHub', 'multiclusterhubs'),
  ],
  [
    'multicluster engine',
    clusterResource('multicluster.openshift.io/v1', 'MultiClusterEngine', 'multiclusterengines'),
  ],
];

/** Reads what a hub shows of its release. @throws HubError if it does not answer */
export async function readHubRelease(
  hub: OpenHub,
): Promise<{ readonly release: HubRelease; readonly unasked: readonly Unasked[] }> {
  const unasked: Unasked[] = [];
  const list = async (resource: Resource): Promise<readonly KubernetesObject[]> => {
    const listed = await unlessForbidden(hub.reader.list(resource), () =>
      unasked.push({
        what: `the release by ${resource.plural}`,
        why: 'the user may not list them',
        remedy: grant({ ...ruleOf(resource), verbs: ['list'] }),
      }),
    );
    return listed ?? [];
  };
  const managers = await list(clusterManagers);
  const found: Product[] = [];
  for (const [name, resource] of products) {
    if (!(await isServed(hub, resource))) continue;
    for (const { status } of await list(resource)) {
      const version = isJsonMap(status) ? status['currentVersion'] : undefined;
      if (typeof version === 'string' && version !== '') found.push({ name, version });
    }
  }
  const reader = new ApiReader(hub.transport, hubCallOptions);
  return {
    release: releaseOf({
      addOnVersions: await addOnVersions(reader),
      placementFields: await placementFields(reader),
      images: managers.flatMap(imagesOf),
      products: found,
    }),
    unasked,
  };
}

async function isServed({ reader }: OpenHub, { apiVersion, kind }: Resource): Promise<boolean> {
  const [group = ''] = apiVersion.split('/');
  const resources = await unlessForbidden(reader.resourcesOf(group), () => undefined);
  return (resources ?? []).some((each) => each.kind === kind);
}

function imagesOf({ spec }: KubernetesObject): readonly string[] {
  const image = isJsonMap(spec) ? spec['registrationImagePullSpec'] : undefined;
  return typeof image === 'string' ? [image] : [];
}

/** Every user may read discovery documents. */
async function addOnVersions(reader: ApiReader): Promise<ReadonlyMap<string, readonly string[]>> {
  const versions = new Map<string, string[]>();
  for (const apiVersion of await servedVersions(reader, addOnGroup))
    for (const { kind } of await servedResources(reader, apiVersion)) {
      const of = versions.get(kind) ?? [];
      versions.set(kind, [...of, apiVersion.split('/')[1] ?? '']);
    }
  return versions;
}

/** Returns the fields of the spec of a Placement, as the API server publishes them; undefined if it does not. */
async function placementFields(reader: ApiReader): Promise<ReadonlySet<string> | undefined> {
  const document = await reader
    .readIfThere(`/openapi/v3/apis/${clusterGroup}/v1beta1`)
    .catch(() => undefined);
  const schemas = fieldOf(fieldOf(document, 'components'), 'schemas');
  for (const schema of Object.values(isJsonMap(schemas) ? schemas : {})) {
    const kinds = fieldOf(schema, 'x-kubernetes-group-version-kind');
    const isPlacement = isJsonList(kinds) && kinds.some((kind) => fieldOf(kind, 'kind') === 'Placement');
    const fields = fieldOf(fieldOf(fieldOf(schema, 'properties'), 'spec'), 'properties');
    if (isPlacement && isJsonMap(fields)) return new Set(Object.keys(fields));
  }
  return undefined;
}

function fieldOf(value: unknown, field: string): unknown {
  return isJsonMap(value) ? value[field] : undefined;
}
