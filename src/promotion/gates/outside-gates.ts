import type { OutsideGateReport } from '../decide/gate-report.ts';
import { jobName, jobReport, jobWave } from '../decide/job-gate.ts';
import { prometheusReport } from '../decide/prometheus-gate.ts';
import type { JobGate, Promotion, Release } from '../decide/promotion.ts';
import { namespacedResource } from '../../client/resource.ts';
import type { Host } from '../../workspace/host.ts';
import type { HubReader } from '../../workspace/hub/hub-reader.ts';
import { queryPrometheus } from './prometheus-query.ts';

const jobs = namespacedResource('batch/v1', 'Job', 'jobs');

/** Where the gates outside of Git are read. */
export interface OutsideGatesInput {
  readonly host: Pick<Host, 'env'>;
  /** Connects to the hub. Only Jobs need it. */
  readonly hub: () => Promise<HubReader>;
  /** Returns when Git got a wave of the release in progress, in milliseconds. */
  readonly startOf: (wave: number) => number | undefined;
}

/**
 * Reads the gates outside of Git, all at the same time. Jobs are those of the release in progress, and are left out before its
 * first wave.
 *
 * @throws HubError if the hub does not let Jobs be read
 */
export async function readOutsideGates(
  { spec: { gates = [] }, status: { release } }: Promotion,
  { host, hub, startOf }: OutsideGatesInput,
): Promise<readonly OutsideGateReport[]> {
  const isReleased = release !== undefined && release.released > 0;
  const reports = await Promise.all(
    gates.map(async ({ name, prometheus, job }): Promise<readonly OutsideGateReport[]> => {
      if (prometheus !== undefined)
        return [prometheusReport(name, prometheus, await queryPrometheus(prometheus, host))];
      if (job === undefined || !isReleased) return [];
      const waveStart = startOf(jobWave(job, release));
      return [jobReport(name, job, { release, job: await readJob(await hub(), job, release), waveStart })];
    }),
  );
  return reports.flat();
}

async function readJob(hub: HubReader, gate: JobGate, release: Release): ReturnType<HubReader['get']> {
  return await hub.get(jobs, { namespace: gate.namespace, name: jobName(gate, release) });
}
