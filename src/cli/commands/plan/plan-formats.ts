import {
  planGithub,
  planHtml,
  planJson,
  planJunit,
  planMarkdown,
  type PlanReport,
  planSarif,
  planTextParts,
  type PlanTextParts,
} from '../../../compiler/index.ts';
import { painter } from '../../terminal/painter.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** The writer of each format of a plan, by the name that `--output` takes; the part that follows the findings is separate. */
export const planFormats = {
  text: ({ plan, engine, otherEngines, promotions }: PlanReport, terminal: Terminal): PlanTextParts =>
    planTextParts(plan, {
      paint: painter(terminal),
      names: 10,
      ...(engine && { engine }),
      ...(otherEngines && { otherEngines }),
      ...(promotions && { promotions }),
      ...(terminal.columns !== undefined && { columns: terminal.columns }),
    }),
  json: body(planJson),
  markdown: body(planMarkdown),
  github: body(planGithub),
  sarif: body(planSarif),
  junit: body(planJunit),
  html: body(planHtml),
};

export type PlanFormat = keyof typeof planFormats;

export const planFormatNames = Object.keys(planFormats) as readonly PlanFormat[];

function body(write: (report: PlanReport) => string): (report: PlanReport) => PlanTextParts {
  return (report) => ({ body: write(report), summary: '' });
}
