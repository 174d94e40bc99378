import { sentenceOf } from '../../client/api-error.ts';
import type { ControllerContext } from './controller-context.ts';
import { addOnGroup } from '../../../schemas/groups.ts';

interface GroupDiscovery {
  readonly versions?: readonly { readonly version: string }[];
}

/**
 * Returns the version in which the hub's own controllers set add-ons as owners: v1beta1 if it is served. Retries
 * until the API server answers, or the signal is aborted.
 */
export async function servedAddOnVersion(
  { client, clock, log }: Pick<ControllerContext, 'client' | 'clock' | 'log'>,
  signal: AbortSignal,
): Promise<string> {
  while (!signal.aborted) {
    try {
      const { versions = [] } = (await client.read(`/apis/${addOnGroup}`, signal)) as GroupDiscovery;
      if (versions.some(({ version }) => version === 'v1beta1')) return `${addOnGroup}/v1beta1`;
      break;
    } catch (error) {
      log.warn({ error: sentenceOf(error) }, 'the hub does not report which versions it serves');
      await clock.sleep(2000, signal);
    }
  }
  return `${addOnGroup}/v1alpha1`;
}
