import { createHash } from 'node:crypto';
import { escapeHtml } from './escape-html.ts';
import { htmlPage } from '../html-page.ts';
import type { PlanPage } from './plan-page-data.ts';
import { pageScript } from './plan-page.gen.ts';
import { planStyle } from './plan-html-style.ts';

/** The parts of a page with a matrix of clusters and the waves, which its script draws. */
export interface PageWithView {
  readonly title: string;
  /** The content of the heading, as markup. */
  readonly heading: string;
  /** Markup below the heading: the sources of the report. */
  readonly origin?: string;
  /** Markup before the matrix: the summary. */
  readonly before: string;
  /** Markup after the waves and the add-ons. */
  readonly after: string;
  /** Markup at the end. */
  readonly footer?: string;
  readonly data: PlanPage;
  /** Where the next page comes from. @default - the page is a file, and stays as it is */
  readonly live?: LivePage;
}

/** A page that its script replaces with the next one. */
export interface LivePage {
  /** `events` of the server that the page comes from, or `messages` of the editor that shows it. */
  readonly source: 'events' | 'messages';
  /** Differs between pages. */
  readonly version: string;
}

/**
 * Formats a self-contained HTML file. Its policy allows only its own script and style, by their hashes. All data is read as data.
 * If scripts are blocked, the page says so.
 */
export function pageWithView(page: PageWithView): string {
  const { title, heading, origin = '', before, after, footer = '', data, live } = page;
  const body = `<header${liveAttributes(live)}><h1>${heading}</h1></header>
${origin}<main>
${before}<div id="view">
<p class="alarm">The matrix and the waves need JavaScript, which is off here. The other formats need none.</p>
</div>
${after}</main>
${footer}<script type="application/json" id="plan">${jsonInHtml(data)}</script>
<script>${pageScript}</script>
`;
  return htmlPage({
    title,
    policy: live?.source === 'events' ? livePagePolicy : pagePolicy,
    style: planStyle,
    body,
  });
}

function liveAttributes(live: LivePage | undefined): string {
  if (live === undefined) return '';
  return ` data-live="${live.source}" data-version="${escapeHtml(live.version)}"`;
}

const pagePolicy = `script-src ${source(pageScript)}; style-src ${source(planStyle)}; base-uri 'none'; form-action 'none'`;

/** The policy of the page of a server, in addition to `default-src 'none'`. */
export const livePagePolicy: string = `${pagePolicy}; connect-src 'self'`;

/** Returns the source expression by which a policy allows this content. */
function source(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}

/** Formats JSON so that it can neither end the surrounding element nor begin a comment. */
function jsonInHtml(content: object): string {
  return JSON.stringify(content).replaceAll('<', '\\u003c');
}
