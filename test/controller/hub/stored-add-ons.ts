import type {
  AddOnTemplateV1alpha1,
  ClusterManagementAddOnV1alpha1,
  ManagedClusterAddOnV1alpha1,
  ManagedClusterV1,
  ManifestWorkV1,
} from '../../../schemas/types.gen.ts';
import type { Stored } from '../../../src/client/object.ts';

const stored = { uid: 'uid', resourceVersion: '1', creationTimestamp: '2026-01-31T12:00:00Z' };
const addOnVersion = 'addon.open-cluster-management.io/v1alpha1';

/** The add-on `hello` as an API server has it, with compiled delivery unless the annotations say otherwise. */
export function storedAddOn(
  spec: ClusterManagementAddOnV1alpha1['spec'] = {},
  annotations: Readonly<Record<string, string>> = {
    'addon.open-cluster-management.io/lifecycle': 'self',
    'fleetwright.dev/delivery': 'compiled',
  },
): Stored<ClusterManagementAddOnV1alpha1> {
  const metadata = { ...stored, name: 'hello', annotations };
  return { apiVersion: addOnVersion, kind: 'ClusterManagementAddOn', metadata, spec };
}

/** `hello` on `cluster1`. */
export function storedOnCluster(
  spec: ManagedClusterAddOnV1alpha1['spec'] = {},
  status: ManagedClusterAddOnV1alpha1['status'] = {},
  annotations: Readonly<Record<string, string>> = {},
): Stored<ManagedClusterAddOnV1alpha1> {
  const metadata = { ...stored, name: 'hello', namespace: 'cluster1', annotations };
  return { apiVersion: addOnVersion, kind: 'ManagedClusterAddOn', metadata, spec, status };
}

export function storedCluster(status: ManagedClusterV1['status'] = {}): Stored<ManagedClusterV1> {
  const metadata = { ...stored, name: 'cluster1' };
  const spec = { hubAcceptsClient: true };
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata,
    spec,
    status,
  };
}

export function template(
  registration: AddOnTemplateV1alpha1['spec']['registration'] = [],
  manifests: readonly object[] = [],
): AddOnTemplateV1alpha1 {
  const workload = { manifests } as AddOnTemplateV1alpha1['spec']['agentSpec']['workload'] & object;
  return {
    apiVersion: addOnVersion,
    kind: 'AddOnTemplate',
    metadata: { name: 'hello-1' },
    spec: { addonName: 'hello', agentSpec: { workload }, registration },
  };
}

/** A deploy work of `hello`; the conditions were observed for its generation. */
export function storedWork({
  name = 'addon-hello-deploy-0',
  manifests = [],
  conditions = {},
  feedback = [],
  hashes,
}: {
  readonly name?: string;
  readonly manifests?: readonly object[];
  readonly conditions?: Readonly<Record<string, string>>;
  readonly feedback?: readonly object[];
  readonly hashes?: Readonly<Record<string, string>>;
} = {}): Stored<ManifestWorkV1> {
  return {
    apiVersion: 'work.open-cluster-management.io/v1',
    kind: 'ManifestWork',
    metadata: {
      ...stored,
      name,
      namespace: 'cluster1',
      generation: 3,
      labels: { 'open-cluster-management.io/addon-name': 'hello' },
      ...(hashes && {
        annotations: { 'open-cluster-management.io/config-spec-hash': JSON.stringify(hashes) },
      }),
    },
    spec: { workload: { manifests } },
    status: {
      conditions: Object.entries(conditions).map(([type, status]) => ({
        type,
        status,
        reason: 'Reported',
        message: `${type} is ${status}`,
        observedGeneration: 3,
        lastTransitionTime: '2026-01-31T12:00:00Z',
      })),
      resourceStatus: { manifests: feedback },
    },
  } as unknown as Stored<ManifestWorkV1>;
}

export function deployment(name: string, replicas?: number): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'agents' },
    spec: { ...(replicas !== undefined && { replicas }) },
  };
}

/** The work agent's feedback about a workload. */
export function fed(
  resource: 'deployments' | 'daemonsets',
  name: string,
  values: Readonly<Record<string, number>>,
): object {
  return {
    conditions: [],
    resourceMeta: { ordinal: 0, group: 'apps', version: 'v1', resource, name, namespace: 'agents' },
    statusFeedback: {
      values: Object.entries(values).map(([name, integer]) => ({
        name,
        fieldValue: { type: 'Integer', integer },
      })),
    },
  };
}
