import { conditionOf } from '../../base/objects/condition.ts';
import { moment } from '../../base/time/rfc3339.ts';
import { contentHashAnnotation, workCountAnnotation } from '../../ocm/fleetwright-annotations.ts';
import { configKindKey, referentKey, type Referent } from '../../ocm/referent.ts';
import type { Condition, ManagedClusterAddOnV1beta1, ManifestWorkV1 } from '../../../schemas/types.gen.ts';
import { progressOf, stateOf } from '../../compiler/rollout/simulation/cluster-state.ts';
import type { Progress } from '../../compiler/rollout/progress.ts';
import { absent, unmarked } from './promotion.ts';
import type { RequiredAddOnState } from './required-gate.ts';

/** The objects of an add-on on a cluster, as the hub has them. */
export interface HubAddOn {
  /** Absent if the hub has none. */
  readonly addOn?: ManagedClusterAddOnV1beta1;
  /** The works that are to stay: not those of hooks, which run once. */
  readonly works: readonly ManifestWorkV1[];
}

/** How far a cluster is with its content. */
export interface ClusterHealth {
  readonly progress: Progress;
  /** Milliseconds since the epoch; absent if the hub does not know it. */
  readonly since?: number;
  /** Why it is not healthy: `has the earlier content`. */
  readonly why?: string;
}

/**
 * Returns how far a cluster is with the content of a release. A status counts only if it is about this content: the objects have
 * its hash, and the agent has observed their generation.
 *
 * @param hash - the content hash of the cluster in the release
 */
export function clusterHealth({ addOn, works }: HubAddOn, hash: string): ClusterHealth {
  if (hash === absent) {
    if (addOn === undefined && works.length === 0) return { progress: 'Succeeded', since: 0 };
    return underWay('still has the add-on');
  }
  if (addOn === undefined) return underWay('has no ManagedClusterAddOn yet');
  const annotations = addOn.metadata.annotations ?? {};
  const objects = [addOn, ...works];
  if (objects.some((object) => markerOn(object) !== hash)) return underWay('has the earlier content');
  const expected = annotations[workCountAnnotation];
  if (expected !== undefined && works.length !== Number(expected)) return underWay('misses a work');
  const ofStatus = statusHealth(addOn);
  if (ofStatus.progress !== 'Succeeded') return ofStatus;
  const conditions: Condition[] = [];
  for (const { metadata, status } of works)
    for (const type of ['Applied', 'Available']) {
      const condition = conditionOf(status?.conditions, type);
      if (condition === undefined || condition.observedGeneration !== metadata.generation)
        return underWay('has not reported the new works');
      if (condition.status !== 'True')
        return underWay(`has a work that is not ${type.toLowerCase()}`, [condition]);
      conditions.push(condition);
    }
  const applied = latest(objects.map(appliedAt));
  const completed = conditionOf(addOn.status?.conditions, 'Progressing');
  // Conditions that stay true keep their time. If the companion has not seen the change, the agents' last reports are the bound.
  const isSeen = ((completed && timeOf(completed)) ?? -Infinity) >= (applied ?? -Infinity);
  const observed = isSeen ? [] : works.map(({ metadata }) => writtenAt(metadata, isStatus));
  const since = latest([...conditions.map(timeOf), ofStatus.since, applied, ...observed]);
  return { progress: 'Succeeded', ...(since !== undefined && { since }) };
}

/**
 * Returns how far a cluster with hub delivery is with the content of its placement. Kinds for which the ManagedClusterAddOn names its
 * own configurations are not those of the placement.
 */
export function placementHealth(
  addOn: ManagedClusterAddOnV1beta1 | undefined,
  configs: readonly Referent[],
): ClusterHealth {
  if (addOn === undefined) return underWay('has no ManagedClusterAddOn yet');
  const own = new Set((addOn.spec.configs ?? []).map((config) => configKindKey({ group: '', ...config })));
  const desired = new Set(stateOf(addOn).references.map(referentKey));
  const isDesired = configs.every(
    (config) => own.has(configKindKey(config)) || desired.has(referentKey(config)),
  );
  if (!isDesired) return { progress: 'ToApply', why: 'waits for the hub to give it the content' };
  if (conditionOf(addOn.status?.conditions, 'Progressing') === undefined) return underWay('has not reported');
  return statusHealth(addOn);
}

/**
 * Returns whether an add-on that others require is Available on a cluster, with whatever content: by its ManagedClusterAddOn, and by its works
 * if they are read.
 */
export function requiredState({ addOn, works }: HubAddOn): RequiredAddOnState {
  const isPresent = addOn !== undefined || works.length > 0;
  const closed = (why: string, time?: number): RequiredAddOnState => ({
    isPresent,
    isAvailable: false,
    why,
    ...(time !== undefined && { since: time }),
  });
  if (addOn === undefined) return closed('has no ManagedClusterAddOn');
  if (addOn.metadata.deletionTimestamp !== undefined) return closed('is being uninstalled');
  const available = conditionOf(addOn.status?.conditions, 'Available');
  if (available !== undefined && available.status !== 'True')
    return closed('is not available', timeOf(available));
  if (available === undefined && works.length === 0)
    return closed('has not reported', moment(addOn.metadata.creationTimestamp));
  for (const { metadata, status } of works)
    for (const type of ['Applied', 'Available']) {
      const condition = conditionOf(status?.conditions, type);
      if (condition === undefined || condition.observedGeneration !== metadata.generation)
        return closed('has not reported its works', moment(addOn.metadata.creationTimestamp));
      if (condition.status !== 'True')
        return closed(`has a work that is not ${type.toLowerCase()}`, timeOf(condition));
    }
  return { isPresent, isAvailable: true };
}

/** As the hub: see `progressOf` of rollouts. An add-on that no companion reports on has no such status. */
function statusHealth(addOn: ManagedClusterAddOnV1beta1): ClusterHealth {
  const { conditions } = addOn.status ?? {};
  const progressing = conditionOf(conditions, 'Progressing');
  const available = conditionOf(conditions, 'Available');
  if (progressing !== undefined) {
    const state = stateOf(addOn);
    const reported = new Set(state.references.map(referentKey));
    const isCurrent = (addOn.spec.configs ?? []).every((config) =>
      reported.has(referentKey({ group: '', ...config })),
    );
    if (!isCurrent) return underWay('has not reported the new configurations');
    const { progress } = progressOf(state, state.references);
    if (progress === 'Failed') return { ...underWay('has failed', [progressing]), progress };
    if (progress !== 'Succeeded' || progressing.reason !== 'Completed')
      return underWay('is in progress', [progressing]);
  }
  if (available !== undefined && available.status !== 'True')
    return underWay('is not available', [available]);
  const since = latest([progressing, available].map((condition) => condition && timeOf(condition)));
  return { progress: 'Succeeded', ...(since !== undefined && { since }) };
}

function underWay(why: string, conditions: readonly Condition[] = []): ClusterHealth {
  const since = latest(conditions.map(timeOf));
  return { progress: 'Progressing', why, ...(since !== undefined && { since }) };
}

function markerOn({ metadata }: HubAddOn['works'][number] | ManagedClusterAddOnV1beta1): string {
  return metadata.annotations?.[contentHashAnnotation] ?? unmarked;
}

/** Returns when the hub got the content. */
function appliedAt({ metadata }: HubAddOn['works'][number] | ManagedClusterAddOnV1beta1): number | undefined {
  return writtenAt(
    metadata,
    (writer) =>
      !isStatus(writer) && JSON.stringify(writer.fieldsV1 ?? {}).includes(`"f:${contentHashAnnotation}"`),
  );
}

/** Returns when some writers last changed an object. API servers record the time of each. */
function writtenAt(metadata: object, isMeant: (writer: FieldWriter) => boolean): number | undefined {
  const { managedFields = [] } = metadata as { readonly managedFields?: readonly FieldWriter[] };
  return latest(managedFields.filter(isMeant).map(({ time }) => moment(time)));
}

function isStatus({ subresource }: FieldWriter): boolean {
  return subresource === 'status';
}

/** An entry of `metadata.managedFields`. */
interface FieldWriter {
  readonly subresource?: string;
  readonly time?: string;
  readonly fieldsV1?: object;
}

function timeOf({ lastTransitionTime }: Condition): number | undefined {
  return moment(lastTransitionTime);
}

function latest(times: readonly (number | undefined)[]): number | undefined {
  return times.reduce<number | undefined>(
    (last, time) => (time === undefined ? last : Math.max(time, last ?? time)),
    undefined,
  );
}
