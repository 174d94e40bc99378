import type { Metrics } from '../operation/metrics.ts';

/** The metrics of an agent besides those of its requests. */
export interface AgentMetrics {
  readonly onProbe: (passed: boolean) => void;
  readonly onCertificate: (secret: string, notAfter: number) => void;
}

export function agentMetrics(metrics: Metrics): AgentMetrics {
  const probes = metrics.counter('probes_total', 'Probes of the add-on', ['passed']);
  const ends = metrics.gauge('certificate_end_seconds', 'When certificates end, since the epoch', ['secret']);
  return {
    onProbe: (passed) => probes.inc({ passed: String(passed) }),
    onCertificate: (secret, notAfter) => ends.set({ secret }, notAfter / 1000),
  };
}
