import { conditionOf } from '../../base/objects/condition.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { moment } from '../../base/time/rfc3339.ts';
import type { OutsideGateReport } from './gate-report.ts';
import type { JobGate, Release } from './promotion.ts';

/** The Job of a release in progress. */
export interface JobOfRelease {
  readonly release: Pick<Release, 'hash' | 'released'>;
  /** Absent if the hub has none. */
  readonly job: KubernetesObject | undefined;
  /** When Git got the wave that the Job verifies, in milliseconds. */
  readonly waveStart: number | undefined;
}

/** Returns the name of the Job that verifies the released waves: with the first 12 characters of the release's hash. */
export function jobName(
  { name }: Pick<JobGate, 'name'>,
  release: Pick<Release, 'hash' | 'released'>,
): string {
  return name
    .replaceAll('{release}', release.hash.slice(0, 12))
    .replaceAll('{wave}', String(release.released));
}

/** Returns the number of the wave that a Job verifies: without `{wave}` in its name, one Job verifies the first wave for all. */
export function jobWave({ name }: Pick<JobGate, 'name'>, { released }: Pick<Release, 'released'>): number {
  return name.includes('{wave}') ? released : 1;
}

/** Returns whether a Job opens its gate. A Job that existed before the wave says nothing about it. */
export function jobReport(
  name: string,
  gate: JobGate,
  { release, job, waveStart }: JobOfRelease,
): OutsideGateReport {
  const report = (words: string, isOpen: boolean, hasFailed = false): OutsideGateReport => ({
    name,
    isOpen,
    text: `Job ${gate.namespace}/${jobName(gate, release)} ${words}`,
    isAfterWave: true,
    ...(hasFailed && { hasFailed }),
  });
  if (job === undefined) return report('does not exist yet: create it', false);
  const created = moment(job.metadata.creationTimestamp);
  if (created === undefined || waveStart === undefined || created < waveStart)
    return report(`is older than wave ${jobWave(gate, release)}: delete it and create it again`, false);
  const { conditions } = (job['status'] ?? {}) as { readonly conditions?: readonly JobCondition[] | null };
  if (['Failed', 'FailureTarget'].some((type) => conditionOf(conditions, type)?.status === 'True'))
    return report('has failed', false, true);
  if (conditionOf(conditions, 'Complete')?.status === 'True') return report('is complete', true);
  return report('is not complete yet', false);
}

interface JobCondition {
  readonly type?: string;
  readonly status?: string;
}
