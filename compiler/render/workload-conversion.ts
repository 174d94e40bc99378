import { isGoJsonObject, type GoJsonObject } from '../../encoding/go-json.ts';
import type { KubernetesMinor } from '../hub-version.ts';
import { groupVersionKind } from './object-identity.ts';
import { convertTyped } from './typed-conversion.ts';
import type { WorkloadResource } from './workload-decoration.ts';

const workloads: Readonly<Record<string, WorkloadResource>> = {
  Deployment: 'deployments',
  DaemonSet: 'daemonsets',
};

/** A Deployment or DaemonSet. */
interface Workload {
  readonly object: GoJsonObject;
  readonly workload: WorkloadResource;
}

/** A Deployment or DaemonSet that has been through its Go struct; undefined for everything else, without complaint. */
export function convertWorkload(object: GoJsonObject, minor: KubernetesMinor): Workload | undefined {
  const { group, kind } = groupVersionKind(object);
  const workload = group === 'apps' && Object.hasOwn(workloads, kind) ? workloads[kind] : undefined;
  if (workload === undefined) return undefined;
  const converted = convertTyped(kind, object, minor);
  return isGoJsonObject(converted) ? { object: converted, workload } : undefined;
}
