import { element } from './element.ts';
import { readView, restoreView } from './view-state.ts';

/** The folder of the workspace in links, which only an editor opens. */
const workspaceLink = 'workspace:/';

/** What VS Code offers to the page in a panel. */
declare function acquireVsCodeApi(): { readonly postMessage: (message: object) => void };

/** What the server reports about the plan. */
interface PlanState {
  readonly version: string;
  readonly isPlanning: boolean;
}

/**
 * Replaces the page with the next one, whenever there is one: those of the server that it comes from, or of the editor that shows it.
 * Does nothing in a file.
 *
 * @param show - draws the view from the data in the page
 */
export function followPlan(header: HTMLElement, show: () => void): void {
  const status = element('p', { id: 'connection', role: 'status' });
  const update = (html: string): void => replacePage(html, header, show);
  if (header.dataset['live'] === 'events') followServer(header, status, update);
  else if (header.dataset['live'] === 'messages') followEditor(update);
  if (header.dataset['live'] === 'events') header.append(status);
}

function followServer(header: HTMLElement, status: HTMLElement, update: (html: string) => void): void {
  const report = (state: string, words: string): void => {
    status.dataset['state'] = state;
    status.textContent = words;
  };
  report('waiting', 'connecting');
  let latest: PlanState = { version: header.dataset['version'] ?? '', isPlanning: false };
  let isLoading = false;
  const load = async (): Promise<void> => {
    if (isLoading) return;
    isLoading = true;
    try {
      while (latest.version !== header.dataset['version']) {
        const response = await fetch('./', { cache: 'no-store' });
        if (!response.ok) break;
        update(await response.text());
      }
      report(latest.isPlanning ? 'waiting' : 'live', latest.isPlanning ? 'planning' : 'live');
    } catch {
      // The event source connects again, and reports the state.
    } finally {
      isLoading = false;
    }
  };
  const events = new EventSource('./events');
  events.addEventListener('state', ({ data }: MessageEvent<string>) => {
    latest = JSON.parse(data) as PlanState;
    void load();
  });
  events.addEventListener('error', () => {
    const isOver = events.readyState === EventSource.CLOSED;
    report(
      'lost',
      isOver
        ? 'disconnected: run fleetwright plan --serve again'
        : 'disconnected: this plan may be out of date; connecting again',
    );
  });
}

function followEditor(update: (html: string) => void): void {
  const { postMessage: send } = acquireVsCodeApi();
  const root = document.documentElement;
  const followTheme = (): void => {
    const isLight = /\bvscode-(?:light|high-contrast-light)\b/.test(document.body.className);
    root.dataset['theme'] = isLight ? 'light' : 'dark';
  };
  new MutationObserver(followTheme).observe(document.body, { attributeFilter: ['class'] });
  followTheme();
  window.addEventListener('message', ({ data }: MessageEvent<{ readonly html?: unknown }>) => {
    if (typeof data.html === 'string') update(data.html);
  });
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const href = link?.getAttribute('href') ?? '';
    if (!href.startsWith(workspaceLink)) return;
    event.preventDefault();
    const [file = '', line = ''] = href.slice(workspaceLink.length).split('#L');
    send({ file: decodeURIComponent(file), line: Number(line) });
  });
  send({ isReady: true });
}

/** Replaces everything but the header, which has the state of the connection. Scripts of the other page do not run. */
function replacePage(html: string, header: HTMLElement, show: () => void): void {
  const next = new DOMParser().parseFromString(html, 'text/html');
  const other = next.querySelector('header');
  if (other === null) return;
  const view = readView();
  document.title = next.title;
  header.dataset['version'] = other.dataset['version'] ?? '';
  header.querySelector('h1')?.replaceWith(...other.querySelectorAll('h1'));
  other.remove();
  document.body.replaceChildren(header, ...next.body.childNodes);
  show();
  restoreView(view);
}
