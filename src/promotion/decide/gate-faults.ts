import type { FieldPath } from '../../compiler/model/field-path.ts';
import { jobName } from './job-gate.ts';
import { conditionOfText } from './prometheus-gate.ts';
import type { JobGate, PrometheusGate, PromotionSpec } from './promotion.ts';

/** An invalid part of a promotion file. */
export interface Fault {
  readonly path: FieldPath;
  readonly message: string;
  readonly hint?: string;
}

/** Yields the invalid parts of approvals and of gates outside of Git. */
export function* gateFaults({ approval = 'none', approvers, gates = [] }: PromotionSpec): Generator<Fault> {
  if (approvers !== undefined && approval === 'none')
    yield {
      path: ['spec', 'approvers'],
      message: 'approvers have no effect, because nothing needs an approval',
      hint: 'set spec.approval to release or waves',
    };
  const names = new Set<string>();
  for (const [index, { name, prometheus, job }] of gates.entries()) {
    const path = ['spec', 'gates', index];
    if (names.has(name)) yield { path: [...path, 'name'], message: `there are two gates "${name}"` };
    names.add(name);
    if ((prometheus === undefined) === (job === undefined))
      yield { path, message: `gate "${name}" must have either "prometheus" or "job"` };
    if (prometheus !== undefined) yield* prometheusFaults([...path, 'prometheus'], prometheus);
    if (job !== undefined) yield* jobFaults([...path, 'job'], job);
  }
}

function* prometheusFaults(path: FieldPath, gate: PrometheusGate): Generator<Fault> {
  if (!URL.canParse(gate.url)) yield { path: [...path, 'url'], message: `"${gate.url}" is not a URL` };
  else if (gate.credentials !== undefined && !isConfidential(new URL(gate.url)))
    yield {
      path: [...path, 'url'],
      message: 'credentials would be sent without encryption',
      hint: 'use https',
    };
  if (conditionOfText(gate.condition) === undefined)
    yield {
      path: [...path, 'condition'],
      message: `"${gate.condition}" is not a condition`,
      hint: "use <, <=, >, >=, == or != and a number: '< 0.01'",
    };
}

function isConfidential({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

function* jobFaults(path: FieldPath, gate: JobGate): Generator<Fault> {
  // Otherwise the Job of an earlier release would open the gate.
  if (!gate.name.includes('{release}'))
    yield {
      path: [...path, 'name'],
      message: `the name "${gate.name}" is the same for all releases`,
      hint: "add {release}: 'smoke-{release}-{wave}'",
    };
  const example = jobName(gate, { hash: '0'.repeat(64), released: 999 });
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(example) || example.length > 63)
    yield {
      path: [...path, 'name'],
      message: `"${gate.name}" is not the name of a Job, such as "${example.slice(0, 80)}"`,
      hint: 'use at most 63 lowercase letters, digits and hyphens, besides {release} and {wave}',
    };
}
