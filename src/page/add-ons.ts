import type { PageAddOn, PageGroup, PlanPage } from '../compiler/report/html/plan-page-data.ts';
import { button, counted, element, list } from './element.ts';
import { groupContent, groupTitle, namesOf } from './group.ts';
import { numbersOf } from './matrix.ts';

/** Maximum number of groups of an add-on that are shown at first. */
const shownGroups = 25;

/** Shows some clusters of an add-on in the matrix. */
export type Pick = (words: string, clusters: readonly number[], addOn: number) => void;

/** Returns a closed section for each add-on and its effects. The content is created when the section is opened. */
export function addOnSections(page: PlanPage, pick: Pick): HTMLElement {
  const sections = page.addOns.map((addOn, number) => {
    const summary = element(
      'summary',
      {},
      element('b', {}, addOn.name),
      ` ${[addOn.counts, addOn.rollout].filter((words) => words !== '').join('; ')}`,
    );
    const details = element(
      'details',
      { class: 'add-on' },
      summary,
      ...list(addOn.alarms, { class: 'alarm' }),
    );
    details.addEventListener(
      'toggle',
      () => {
        details.append(...list(addOn.notes), ...groups(addOn, number, page, pick));
      },
      { once: true },
    );
    // An alarm must be visible without a click.
    details.open = addOn.alarms.length > 0 || page.addOns.length === 1;
    return details;
  });
  const section = element('section', {}, element('h2', {}, 'Add-ons'), ...sections);
  section.hidden = sections.length === 0;
  return section;
}

function groups(addOn: PageAddOn, number: number, page: PlanPage, pick: Pick): Node[] {
  const nodes = (from: number, to?: number): HTMLElement[] =>
    addOn.groups.slice(from, to).map((group) => groupNode(group, addOn, number, page, pick));
  const more = addOn.groups.length - shownGroups;
  if (more <= 0) return nodes(0);
  const show = button({ class: 'more' }, `Show ${counted(more, 'more change')}`, () => {
    show.replaceWith(...nodes(shownGroups));
  });
  return [...nodes(0, shownGroups), show];
}

function groupNode(
  group: PageGroup,
  { name }: PageAddOn,
  addOn: number,
  page: PlanPage,
  pick: Pick,
): HTMLElement {
  const clusters = numbersOf(group.clusters);
  const title = groupTitle(group, page);
  return element(
    'div',
    { class: `group ${group.effect}` },
    element('h3', {}, title),
    element(
      'p',
      {},
      `${namesOf(clusters, page)} `,
      button({ 'aria-label': `Show in the matrix: ${name}, ${title}` }, 'Show in the matrix', () => {
        pick(`${name}: ${title}`, clusters, addOn);
      }),
    ),
    ...groupContent(group, page),
  );
}
