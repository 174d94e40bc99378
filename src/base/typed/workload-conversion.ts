import { isGoJsonObject, type GoJsonObject } from '../json/go-json.ts';
import { groupVersionKind } from '../objects/object-identity.ts';
import { convertTyped } from './typed-conversion.ts';
import type { KubernetesMinor } from './minor.ts';

/** The kinds of workloads that OCM decorates, as resources. */
export type WorkloadResource = 'deployments' | 'daemonsets';

const workloads: Readonly<Record<string, WorkloadResource>> = {
  Deployment: 'deployments',
  DaemonSet: 'daemonsets',
};

/** A Deployment or DaemonSet. */
interface Workload {
  readonly object: GoJsonObject;
  readonly workload: WorkloadResource;
}

/** Returns a Deployment or DaemonSet after conversion through its Go struct, or undefined for every other object. */
export function convertWorkload(object: GoJsonObject, minor: KubernetesMinor): Workload | undefined {
  const { group, kind } = groupVersionKind(object);
  const workload = group === 'apps' && Object.hasOwn(workloads, kind) ? workloads[kind] : undefined;
  if (workload === undefined) return undefined;
  const converted = convertTyped(kind, object, minor);
  return isGoJsonObject(converted) ? { object: converted, workload } : undefined;
}
