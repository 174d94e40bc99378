import {
  livePlanHtml,
  type LivePlanPage,
  planJson,
  type PlanReport,
  readableAnswer,
  readableReport,
} from '../../../../compiler/index.ts';
import type { PlanAnswer } from './live-plan.ts';

/** A page, and its version. */
export interface PlanHtml {
  readonly html: string;
  readonly version: string;
}

/** The pages of a plan that is made again and again. */
export class PlanPages {
  readonly #source: LivePlanPage['live']['source'];
  readonly #linkBase: string | undefined;
  #latest: PlanReport | undefined;
  #content: string | undefined;
  #version = 0;

  constructor(source: LivePlanPage['live']['source'], linkBase: string | undefined) {
    this.#source = source;
    this.#linkBase = linkBase;
  }

  get version(): string {
    return String(this.#version);
  }

  /** Returns the page of an answer. Undefined if it is the same as that of the answer before. */
  next(answer: PlanAnswer): PlanHtml | undefined {
    const content = contentOf(answer);
    if (content === this.#content) return undefined;
    this.#content = content;
    this.#version += 1;
    const linkBase = this.#linkBase;
    if (!('errors' in answer)) {
      // The page is shown at any time after the plan was made.
      const { plannedAt: _, ...report } = answer.report;
      this.#latest = readableReport({ ...report, ...(linkBase !== undefined && { linkBase }) });
    }
    const html = livePlanHtml({
      report: this.#latest,
      ...('errors' in answer && { errors: readableAnswer(answer.errors) }),
      ...(linkBase !== undefined && { linkBase }),
      live: { source: this.#source, version: this.version },
    });
    return { html, version: this.version };
  }
}

/** Returns what decides whether a plan differs from the one before. The time alone is no change. */
export function contentOf(answer: PlanAnswer): string {
  if ('errors' in answer) return JSON.stringify(answer.errors);
  const { plannedAt: _, ...report } = answer.report;
  return JSON.stringify([planJson(report), answer.isApproved, answer.verification]);
}
