import { diagnosticJson } from './json.ts';
import { jsonText } from './json-text.ts';
import type { PlanReport } from '../plan-report.ts';

/** The version of the format. It changes if a reader of the old version would misread the new one. */
export const planFormat = 'fleetwright.dev/plan/v1';

/** Formats the report as JSON that conforms to schemas/plan.json. Contains everything that the plan contains. */
export function planJson(report: PlanReport): string {
  const {
    plan,
    base,
    head,
    commits,
    release,
    findings,
    engine,
    otherEngines,
    snapshots = [],
    promotions,
    version,
  } = report;
  const { hash, effects, ...content } = plan;
  return jsonText({
    format: planFormat,
    ...(version !== undefined && { version }),
    base,
    head,
    ...(commits !== undefined && { commits }),
    ...(release !== undefined && { release }),
    hash,
    findings: findings.map(diagnosticJson),
    snapshots,
    ...content,
    effects,
    ...(engine !== undefined && { engine }),
    ...(otherEngines !== undefined && { otherEngines }),
    ...(promotions !== undefined && { promotions }),
  });
}
