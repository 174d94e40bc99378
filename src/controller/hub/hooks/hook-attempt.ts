import type { ManagedClusterAddOnV1alpha1, ManifestWorkV1 } from '../../../../schemas/types.gen.ts';
import type { GoJsonObject } from '../../../base/json/go-json.ts';
import { isAlreadyExists, sentenceOf, ApiError } from '../../../client/api-error.ts';
import { keyOf, type Stored } from '../../../client/object.ts';
import { addOnUidAnnotation, preDeleteHooksAnnotation } from '../../../ocm/fleetwright-annotations.ts';
import { hookWork, type HookWorkPlace } from '../../../ocm/hook-work.ts';
import type { ControllerContext } from '../controller-context.ts';
import { withOwner } from '../registration/owner-reference.ts';
import { manifestWorks } from '../resources.ts';
import { hookManifests } from './hook-manifests.ts';
import { hookProgress } from './hook-progress.ts';
import { isWorkOf, type HookRun } from './hook-run.ts';

/** Milliseconds between the starts of two attempts, and after a work that the API server rejected. */
const [shortestRetry, longestRetry, rejectedRetry] = [30_000, 600_000, 60_000];

/** The state of the hooks after a step. */
export interface HookAttempt {
  readonly isComplete: boolean;
  /** What is wrong, as the end of a sentence. Undefined if the hooks are just running. */
  readonly problem?: string;
  /** Milliseconds. */
  readonly requeueAfter?: number;
}

/**
 * Takes the next step with hooks of a ManagedClusterAddOn that is being deleted: creates their work, waits for it, or deletes it if a
 * hook failed, so that the next step creates it again. No state is kept: all of it is in the work and in the times of both objects,
 * so that another replica can continue at any time.
 */
export async function attemptHooks(
  context: ControllerContext,
  onCluster: Stored<ManagedClusterAddOnV1alpha1>,
  run: HookRun,
  signal: AbortSignal,
): Promise<HookAttempt> {
  const { work } = run;
  if (work === undefined) {
    const annotation = await annotationOf(context, onCluster, run, signal);
    const manifests = hookManifests(annotation);
    return 'error' in manifests
      ? { isComplete: false, problem: manifests.error }
      : await createWork(context, onCluster, run, manifests, signal);
  }
  // A work of an earlier installation is deleted, and the next one is created then.
  if (work.metadata.deletionTimestamp !== undefined) return { isComplete: false };
  if (!isWorkOf(work, onCluster))
    return {
      isComplete: false,
      ...(isForeign(run, work) && { problem: `the companion did not create ${keyOf(work)}: delete it` }),
    };
  const progress = hookProgress(work);
  if (progress.state !== 'failed') return { isComplete: progress.state === 'complete' };
  const problem = `${progress.failed} failed, and is run again`;
  const requeueAfter = untilRetry(onCluster, work, context.clock.now());
  if (requeueAfter > 0) return { isComplete: false, problem, requeueAfter };
  await context.client.delete(manifestWorks, work.metadata, { uid: work.metadata.uid, signal });
  return { isComplete: false, problem };
}

/** Whether neither Kubernetes nor the companion deletes a work, since it has no owner and the companion did not create it. */
function isForeign({ location }: HookRun, { metadata }: Stored<ManifestWorkV1>): boolean {
  return location === 'hosting' && metadata.annotations?.[addOnUidAnnotation] === undefined;
}

/** The caches do not have the hooks. */
async function annotationOf(
  { client }: ControllerContext,
  onCluster: Stored<ManagedClusterAddOnV1alpha1>,
  { location, holder }: HookRun,
  signal: AbortSignal,
): Promise<string> {
  const owner =
    location === 'managed' ? onCluster : holder && (await client.get(manifestWorks, holder, signal));
  return owner?.metadata.annotations?.[preDeleteHooksAnnotation] ?? '';
}

async function createWork(
  { client, ownerVersion }: ControllerContext,
  onCluster: Stored<ManagedClusterAddOnV1alpha1>,
  { location, clusterName, workName }: HookRun,
  manifests: readonly GoJsonObject[],
  signal: AbortSignal,
): Promise<HookAttempt> {
  const { name, namespace = '', uid } = onCluster.metadata;
  const [owner] = withOwner({}, onCluster, ownerVersion) ?? [];
  if (owner === undefined) throw new Error('an object without owners gets one');
  const place: HookWorkPlace =
    location === 'managed' ? { location, owner } : { location, hostingCluster: clusterName, uid };
  try {
    await client.create(manifestWorks, hookWork(name, namespace, manifests, place), { signal });
  } catch (error) {
    // The cache may be stale.
    if (isAlreadyExists(error)) return { isComplete: false };
    if (!(error instanceof ApiError)) throw error;
    return {
      isComplete: false,
      problem: `${workName} cannot be created: ${sentenceOf(error)}`,
      requeueAfter: rejectedRetry,
    };
  }
  return { isComplete: false };
}

/** Each attempt may take as long as all before it together, within limits. */
function untilRetry(
  { metadata: { deletionTimestamp = '' } }: Stored<ManagedClusterAddOnV1alpha1>,
  { metadata: { creationTimestamp } }: Stored<ManifestWorkV1>,
  now: number,
): number {
  const started = Date.parse(creationTimestamp);
  const earlier = started - Date.parse(deletionTimestamp);
  return started + Math.min(Math.max(earlier, shortestRetry), longestRetry) - now;
}
