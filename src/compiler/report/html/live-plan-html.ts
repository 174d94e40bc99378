import type { FailedPlan } from '../ci/failed-plan-markdown.ts';
import { linksOf } from '../location-links.ts';
import type { PlanReport } from '../plan-report.ts';
import { pageWithView, type LivePage, type PageWithView } from './page-with-view.ts';
import { findingItem, planView } from './plan-html.ts';

/** A live page of a plan. */
export interface LivePlanPage {
  /** The latest plan. Undefined if there was none yet. */
  readonly report: PlanReport | undefined;
  /** Why there is no plan of the present state. @default - there is one */
  readonly errors?: FailedPlan['errors'];
  /** The base URL of locations, if there is no plan to take it from. @default - locations are no links */
  readonly linkBase?: string;
  readonly live: LivePage;
}

/** Formats the page of a plan that follows the plan. If the present state has none, its errors are above the latest plan. */
export function livePlanHtml({ report, errors, linkBase, live }: LivePlanPage): string {
  const page = report === undefined ? noPlan : planView(report);
  if (errors === undefined) return pageWithView({ ...page, live });
  const link = linksOf({ ...report, ...(linkBase !== undefined && { linkBase }) });
  const items = errors.map((each) => findingItem({ severity: 'error', ...each }, link)).join('');
  const older =
    report === undefined ? '' : '<p class="alarm">The plan below is that of an earlier state</p>\n';
  const before = `<h2>No plan of the present state</h2>\n<ul id="errors">\n${items}</ul>\n${older}${page.before}`;
  return pageWithView({ ...page, before, live });
}

const noPlan: PageWithView = {
  title: 'No plan',
  heading: 'No plan',
  before: '',
  after: '',
  data: { effects: [], addOns: [], clusters: [], labels: [], texts: [], values: [], links: {} },
};
