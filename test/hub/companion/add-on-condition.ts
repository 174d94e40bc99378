import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import type { ApiClient } from '../client/api-client.ts';
import { ocmKinds } from '../client/kinds.ts';

/** A condition of an add-on on a cluster, as the hub holds it. */
export interface HeldCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
}

/** Undefined while the condition is missing. */
export async function addOnCondition(
  hub: ApiClient,
  addOn: string,
  cluster: string,
  type: string,
): Promise<HeldCondition | undefined> {
  const onCluster = await hub.get(...ocmKinds.managedClusterAddOn, addOn, cluster);
  return conditionIn(onCluster?.['status'], type);
}

/** The condition of a type in a status of any kind. */
export function conditionIn(status: unknown, type: string): HeldCondition | undefined {
  const { conditions = [] } = (status ?? {}) as { readonly conditions?: readonly HeldCondition[] };
  return conditions.find((each) => each.type === type);
}

/** Who has written what a condition says now, as the API server keeps account of it. */
export function conditionWriters({ metadata }: KubernetesObject, type: string): readonly string[] {
  const { managedFields = [] } = metadata as { readonly managedFields?: readonly ManagedFields[] };
  return managedFields
    .filter(({ fieldsV1 }) => {
      const fields = fieldsV1['f:status']?.['f:conditions']?.[`k:${JSON.stringify({ type })}`] ?? {};
      return 'f:status' in fields;
    })
    .map(({ manager }) => manager);
}

/** An entry of `metadata.managedFields`, as far as it is about conditions in a status. */
interface ManagedFields {
  readonly manager: string;
  readonly fieldsV1: {
    readonly 'f:status'?: { readonly 'f:conditions'?: Readonly<Record<string, object>> };
  };
}
