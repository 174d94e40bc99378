import { updateStrategyOf } from '../../../ocm/clusters/manifest-options.ts';
import type { DeliveredManifest, Delivery } from './deliveries.ts';
import { grants } from './granted-roles.ts';

type Resource = Pick<DeliveredManifest, 'resource'>;

/** Whether the API server of the cluster gets a manifest. With ReadOnly, the agent writes nothing. */
export function isSent({ options }: Pick<Delivery, 'options'>, manifest: Resource): boolean {
  return updateStrategyOf(options, manifest.resource) !== 'ReadOnly' || isTried(options, manifest);
}

/**
 * Whether the agent first creates the object of a manifest as the executor of the work, in a dry run: those that grant permissions,
 * whatever their update strategy. As CheckEscalation, which reports all errors except that the object exists.
 */
export function isTried({ executor }: Delivery['options'], manifest: Resource): boolean {
  return (executor ?? undefined) !== undefined && grants(manifest);
}
