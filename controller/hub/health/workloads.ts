import type { ManifestWorkV1 } from '../../../schemas/types.gen.ts';
import type { Stored } from '../../kube/object.ts';

/** A Deployment or DaemonSet that a work brings. */
export interface Workload {
  readonly resource: 'deployments' | 'daemonsets';
  readonly namespace: string;
  readonly name: string;
  /** Of a Deployment, where it says so. */
  readonly replicas: number | undefined;
}

interface Manifest {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
  readonly spec?: { readonly replicas?: unknown };
}

export function workloadsOf({ spec }: Stored<ManifestWorkV1>): readonly Workload[] {
  return (spec?.workload?.manifests ?? []).flatMap((manifest) => {
    const { apiVersion, kind, metadata, spec } = manifest as Manifest;
    if (typeof apiVersion !== 'string' || !apiVersion.startsWith('apps/')) return [];
    if (kind !== 'Deployment' && kind !== 'DaemonSet') return [];
    const { name = '', namespace = '' } = metadata ?? {};
    const replicas = typeof spec?.replicas === 'number' ? spec.replicas : undefined;
    return [
      kind === 'Deployment'
        ? { resource: 'deployments', namespace, name, replicas }
        : { resource: 'daemonsets', namespace, name, replicas: undefined },
    ];
  });
}

/**
 * A work with no more than its health is told from: of its manifests the workloads without their content. Works hold up to
 * 400 KB, of which a fleet has many.
 */
export function withoutContent(work: Stored<ManifestWorkV1>): Stored<ManifestWorkV1> {
  const manifests = workloadsOf(work).map(({ resource, namespace, name, replicas }) => ({
    apiVersion: 'apps/v1',
    kind: resource === 'deployments' ? 'Deployment' : 'DaemonSet',
    metadata: { namespace, name },
    ...(replicas !== undefined && { spec: { replicas } }),
  }));
  const { resourceStatus, ...status } = work.status ?? {};
  const told = (resourceStatus?.manifests ?? [])
    .filter(({ statusFeedback }) => (statusFeedback?.values ?? []).length > 0)
    .map(({ resourceMeta, statusFeedback }) => ({
      resourceMeta,
      conditions: [],
      ...(statusFeedback && { statusFeedback }),
    }));
  return {
    ...work,
    spec: { workload: { manifests } },
    status: { ...status, resourceStatus: { manifests: told } },
  };
}
