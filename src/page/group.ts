import type { PageGroup, PageValue, PlanPage } from '../compiler/report/html/plan-page-data.ts';
import { counted, element } from './element.ts';
import { linkedList, locationNode } from './links.ts';
import { numbersOf } from './matrix.ts';

/** Maximum number of names that are listed. */
const shownNames = 100;

/** `c1, c2 and 1,998 more`. */
export function namesOf(clusters: readonly number[], page: PlanPage): string {
  const shown = clusters.slice(0, shownNames).map((cluster) => page.clusters[cluster] ?? '');
  const more = clusters.length - shown.length;
  return `${shown.join(', ')}${more === 0 ? '' : ` and ${more.toLocaleString('en')} more`}`;
}

/** Returns the names of clusters, below each value of the first label by which the plan counts. */
export function clustersByLabel(clusters: readonly number[], page: PlanPage): Node[] {
  const [label] = page.labels;
  if (label === undefined) return [element('p', {}, namesOf(clusters, page))];
  return label.values.flatMap((value, number) => {
    const named = clusters.filter((cluster) => label.of[cluster] === number);
    if (named.length === 0) return [];
    return [element('h4', {}, value), element('p', {}, namesOf(named, page))];
  });
}

/**
 * Returns `3 env=prod, 1 env=dev; region=eu`: the most frequent values first, and without a number a value that all
 * clusters have; empty if the plan counts by no label.
 */
export function labelCounts(clusters: readonly number[], page: PlanPage): string {
  return page.labels
    .map(({ values, of }) => {
      const counts = values.map(() => 0);
      for (const cluster of clusters) {
        const value = of[cluster] ?? 0;
        counts[value] = (counts[value] ?? 0) + 1;
      }
      const occurring = values
        .map((value, number) => ({ value, count: counts[number] ?? 0 }))
        .filter(({ count }) => count > 0)
        .sort((a, b) => b.count - a.count);
      const more = occurring.length - shownValues;
      const words = occurring
        .slice(0, shownValues)
        .map(({ value, count }) =>
          occurring.length === 1 ? value : `${count.toLocaleString('en')} ${value}`,
        );
      return `${words.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    })
    .join('; ');
}

/**
 * Returns `, which refuse the change`, or `, of which 2 refuse the change`, about clusters of a wave. Empty if none of them does.
 *
 * @param clusters - the number of clusters, some of which refuse
 */
export function refusingWords(clusters: number, refusing: number): string {
  if (refusing === 0) return '';
  const verb = refusing === 1 ? 'refuses' : 'refuse';
  return refusing === clusters
    ? `, which ${verb} the change`
    : `, of which ${refusing.toLocaleString('en')} ${verb} the change`;
}

/** Maximum number of values of one label that are counted individually. */
const shownValues = 5;

/** `changed on 3 clusters`. */
export function groupTitle({ effect, clusters }: PageGroup, page: PlanPage): string {
  const { words = effect } = page.effects.find((occurring) => occurring.effect === effect) ?? {};
  const numbers = numbersOf(clusters);
  const counts = labelCounts(numbers, page);
  return `${words} ${counted(numbers.length, 'cluster')}${counts === '' ? '' : ` (${counts})`}`;
}

/**
 * Returns why a group changes, and what changes: the causes, the effective configurations, and the values before and
 * after.
 */
export function groupContent(
  { causes, caveat, held = [], configs, values, moreValues }: PageGroup,
  page: PlanPage,
): Node[] {
  const because = causes.map((cause) => `because ${page.texts[cause] ?? ''}`);
  const uses = configs.map((config) => page.texts[config] ?? '');
  const shown = values.flatMap((value) => page.values[value] ?? []);
  return [
    ...linkedList(because, page),
    ...held.map((words) => element('p', { class: 'caveat' }, words)),
    ...(caveat === undefined ? [] : [element('p', { class: 'caveat' }, `but ${caveat}`)]),
    ...(uses.length === 0 ? [] : [element('h4', {}, 'Configuration'), ...linkedList(uses, page)]),
    ...(shown.length === 0
      ? []
      : [
          element('h4', {}, 'Values'),
          element(
            'div',
            { class: 'values' },
            ...shown.flatMap((value, index) => valueNodes(value, shown[index - 1], page)),
          ),
        ]),
    ...(moreValues === 0
      ? []
      : [element('p', { class: 'quiet' }, `and ${counted(moreValues, 'more value')}: plan -o json has all`)]),
  ];
}

/** Returns a value below its object, which is named once. */
function valueNodes(
  { object, path, location, also, lines }: PageValue,
  previous: PageValue | undefined,
  { links }: PlanPage,
): Node[] {
  const what = element('div', { class: 'path' }, element('code', {}, path));
  if (location !== undefined)
    what.append(' ', element('span', { class: 'quiet' }, locationNode(location, links)));
  const diff = lines.map(({ sign, text }) =>
    element(sign === '-' ? 'del' : sign === '+' ? 'ins' : 'span', {}, `${sign} ${text}\n`),
  );
  const heading = previous?.object === object ? [] : [element('h5', {}, object)];
  return [
    ...heading,
    what,
    element('pre', { tabindex: '0', 'aria-label': `difference of ${path}` }, ...diff),
    ...(also === undefined ? [] : [element('p', { class: 'quiet' }, `also ${also}`)]),
  ];
}
