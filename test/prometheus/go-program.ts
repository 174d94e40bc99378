import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';

const program = path.join(import.meta.dirname, 'bin', 'prometheus');

/** Samples with which alerts are evaluated, as promtool's unit tests write them: a value for each minute. */
export interface AlertCase {
  readonly series: readonly { readonly series: string; readonly values: string }[];
  /** The time of the last evaluation, since the beginning. */
  readonly minutes: number;
}

/** What Prometheus and Grafana have to read. */
export interface PrometheusRequest {
  /** A rule file: the spec of a PrometheusRule. */
  readonly rules: string;
  /** The JSON of a dashboard. */
  readonly dashboard: string;
  /** The answer of `/metrics`. */
  readonly scrape: string;
  readonly cases: readonly AlertCase[];
}

/** An expression, as Prometheus' parser reads it. */
export interface ParsedExpression {
  /** The name of the alert, or the title of the panel. */
  readonly where: string;
  readonly expr: string;
  readonly selectors: readonly { readonly metric: string; readonly labels: readonly string[] }[];
  /** The labels of `by`. */
  readonly grouping: readonly string[];
}

export interface PrometheusAnswer {
  readonly errors: readonly string[];
  readonly alerts: readonly ParsedExpression[];
  readonly queries: readonly ParsedExpression[];
  /** The labels of each metric in the scrape. */
  readonly metrics: Readonly<Record<string, readonly string[]>>;
  /** What promlint finds in the scrape. */
  readonly lint: readonly string[];
  /** For each case the alerts that fire at its end, with their labels. */
  readonly firing: readonly (readonly string[])[];
}

/** Builds the Go program, which takes a minute for the first time. */
export function buildPrometheus(): void {
  execFileSync('go', ['build', '-o', program, '.'], {
    cwd: import.meta.dirname,
    env: { ...process.env, CGO_ENABLED: '0' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Returns what Prometheus and Grafana themselves make of rules, a dashboard and a scrape. */
export function askPrometheus(request: PrometheusRequest): PrometheusAnswer {
  const { status, stdout, stderr } = spawnSync(program, {
    input: JSON.stringify(request),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: 300_000,
  });
  if (status !== 0) throw new Error(`${program} ended with ${String(status)}: ${stderr}`);
  return JSON.parse(stdout) as PrometheusAnswer;
}
