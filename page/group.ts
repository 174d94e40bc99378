import type { PageGroup, PageValue, PlanPage } from '../compiler/report/plan-page-data.ts';
import { counted, element, list } from './element.ts';
import { numbersOf } from './matrix.ts';

/** So many names are written out. */
const shownNames = 100;

/** `c1, c2 and 1,998 more`. */
export function namesOf(clusters: readonly number[], page: PlanPage): string {
  const shown = clusters.slice(0, shownNames).map((cluster) => page.clusters[cluster] ?? '');
  const more = clusters.length - shown.length;
  return `${shown.join(', ')}${more === 0 ? '' : ` and ${more.toLocaleString('en')} more`}`;
}

/** `changed on 3 clusters`. */
export function groupTitle({ effect, clusters }: PageGroup, page: PlanPage): string {
  const { words = effect } = page.effects.find((occurring) => occurring.effect === effect) ?? {};
  return `${words} ${counted(numbersOf(clusters).length, 'cluster')}`;
}

/** Why a group changes, and what: the causes, the configurations that count, and the values before and after. */
export function groupContent({ causes, configs, values, moreValues }: PageGroup, page: PlanPage): Node[] {
  const because = causes.map((cause) => `because ${page.texts[cause] ?? ''}`);
  const uses = configs.map((config) => page.texts[config] ?? '');
  const shown = values.flatMap((value) => page.values[value] ?? []);
  return [
    ...list(because),
    ...(uses.length === 0 ? [] : [element('h4', {}, 'Configuration'), ...list(uses)]),
    ...(shown.length === 0
      ? []
      : [element('h4', {}, 'Values'), element('div', { class: 'values' }, ...shown.flatMap(valueNodes))]),
    ...(moreValues === 0
      ? []
      : [element('p', { class: 'quiet' }, `and ${counted(moreValues, 'more value')}: plan -o json has all`)]),
  ];
}

/** A value below the object that it belongs to, which is named once. */
function valueNodes(
  { object, path, place, lines }: PageValue,
  index: number,
  all: readonly PageValue[],
): Node[] {
  const what = element('div', { class: 'path' }, element('code', {}, path === '' ? 'the object' : path));
  if (place !== undefined) what.append(' ', element('span', { class: 'quiet' }, place));
  const diff = lines.map(({ sign, text }) =>
    element(sign === '-' ? 'del' : sign === '+' ? 'ins' : 'span', {}, `${sign} ${text}\n`),
  );
  const heading = all[index - 1]?.object === object ? [] : [element('h5', {}, object)];
  return [
    ...heading,
    what,
    element('pre', { tabindex: '0', 'aria-label': `difference of ${path}` }, ...diff),
  ];
}
