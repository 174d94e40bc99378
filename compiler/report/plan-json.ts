import { jsonText } from './json-text.ts';
import type { PlanReport } from './plan-report.ts';

/** The version of the format; a new one where a reader of the old one would be wrong. */
export const planFormat = 'fleetwright.dev/plan/v1';

/** The report as JSON, after schemas/plan.json. Everything that the plan holds. */
export function planJson(report: PlanReport): string {
  const { plan, base, head, commits, release, findings, snapshots = [] } = report;
  const { hash, ...content } = plan;
  return jsonText({
    format: planFormat,
    base,
    head,
    ...(commits !== undefined && { commits }),
    ...(release !== undefined && { release }),
    hash,
    findings,
    snapshots,
    ...content,
  });
}
