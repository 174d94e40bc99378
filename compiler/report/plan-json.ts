import { jsonText } from './json-text.ts';
import type { PlanReport } from './plan-report.ts';

/** The version of the format; a new one where a reader of the old one would be wrong. */
export const planFormat = 'fleetwright.dev/plan/v1';

/** The report as JSON, after schemas/plan.json. Every value of the plan, without a limit. */
export function planJson({ plan, base, head, findings, snapshots = [] }: PlanReport): string {
  const { hash, ...content } = plan;
  const document = { format: planFormat, base, head, hash, findings, snapshots, ...content };
  return jsonText(document);
}
