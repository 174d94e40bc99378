import type { PageWave, PlanPage } from '../compiler/report/html/plan-page-data.ts';
import { addOnSections } from './add-ons.ts';
import { Controls } from './controls.ts';
import { Drawer } from './drawer.ts';
import { button, counted, element } from './element.ts';
import { Grid } from './grid.ts';
import { clustersByLabel, groupContent, groupTitle, labelCounts, refusingWords } from './group.ts';
import { followPlan } from './live.ts';
import { Matrix, numbersOf } from './matrix.ts';
import { themeChoice } from './theme.ts';
import { Timeline } from './timeline.ts';

/** Ends what the view of an earlier plan listens to. */
let viewEnds = new AbortController();

function main(): void {
  const header = document.querySelector('header');
  if (header?.dataset['live'] !== 'messages') header?.append(themeChoice());
  showPlan();
  if (header !== null) followPlan(header, showPlan);
}

/** Builds the view of a plan from the data in the page. */
function showPlan(): void {
  viewEnds.abort();
  viewEnds = new AbortController();
  const view = document.querySelector('#view');
  const data = document.querySelector('#plan')?.textContent ?? '';
  const page = JSON.parse(data) as PlanPage;
  if (view === null) return;
  view.replaceChildren();
  if (page.addOns.length === 0) return;

  const matrix = new Matrix(page);
  const drawer = new Drawer();
  const grid = new Grid(matrix, (cluster, addOn) => {
    drawer.open(
      page.clusters[cluster] ?? '',
      ...clusterContent(cluster, addOn === undefined ? page.addOns.keys() : [addOn], { page, matrix, pick }),
    );
  });
  const update = (): void => {
    const { filter } = controls;
    const clusters = matrix.clusters(filter);
    grid.show(clusters, filter.addOn === undefined ? [...page.addOns.keys()] : [filter.addOn]);
    controls.showCount(clusters.length, page.clusters.length);
    waves.show((cluster) => matrix.matches(cluster, filter));
  };
  const controls = new Controls(page, update);
  const pick = (words: string, clusters: readonly number[], addOn: number): void => {
    drawer.close();
    controls.pick(words, clusters, addOn);
    grid.node.focus();
    grid.node.scrollIntoView({ block: 'center' });
  };

  const waves = new Timeline(page, (addOn, number) => {
    const wave = addOn.waves[number - 1];
    if (wave === undefined) return;
    const title = `${addOn.name}, wave ${number} of ${addOn.waves.length}`;
    const clusters = numbersOf(wave.clusters);
    const show = button({}, 'Show in the matrix', () => {
      pick(title, clusters, page.addOns.indexOf(addOn));
    });
    drawer.open(title, ...waveContent(wave, clusters, page), show);
  });
  view.append(
    element('h2', {}, 'Clusters'),
    controls.node,
    grid.node,
    element(
      'p',
      { class: 'quiet' },
      '/ searches, arrow keys move in the matrix, Enter opens a cell or a cluster, Escape closes it',
    ),
    waves.node,
    addOnSections(page, pick),
    drawer.node,
  );
  update();
  listenToKeys(controls, drawer, grid, viewEnds.signal);
}

/** What the content of the drawer refers to. */
interface PageParts {
  readonly page: PlanPage;
  readonly matrix: Matrix;
  readonly pick: (words: string, clusters: readonly number[], addOn: number) => void;
}

/** Returns the effects on one cluster for some add-ons. */
function clusterContent(
  cluster: number,
  addOns: Iterable<number>,
  { page, matrix, pick }: PageParts,
): readonly Node[] {
  return [...addOns].flatMap((addOn) => {
    const cell = matrix.cell(addOn, cluster);
    if (cell === undefined) return [];
    const { group } = cell;
    const number = matrix.wave(addOn, cluster);
    const wave = cell.addOn.waves[number - 1];
    const together = groupTitle(group, page);
    const others = button({ class: 'together' }, together, () => {
      pick(`${cell.addOn.name}: ${together}`, numbersOf(group.clusters), addOn);
    });
    const position =
      wave === undefined ? '' : ` in wave ${number} of ${cell.addOn.waves.length}, ${wave.when}`;
    const { noun = '' } = page.effects.find(({ effect }) => effect === group.effect) ?? {};
    return [
      element(
        'div',
        { class: `group ${group.effect}` },
        element('h3', {}, `${cell.addOn.name}: ${noun}${position}`),
        element('p', {}, 'Same for all clusters that are ', others),
        ...groupContent(group, page),
      ),
    ];
  });
}

function waveContent(
  { when, refusing = [] }: PageWave,
  clusters: readonly number[],
  page: PlanPage,
): readonly Node[] {
  const counts = labelCounts(clusters, page);
  const refusals = numbersOf(refusing);
  const refuse = refusingWords(clusters.length, refusals.length);
  const isSome = refusals.length > 0 && refusals.length < clusters.length;
  return [
    element('p', {}, `${when}: ${counted(clusters.length, 'cluster')}${refuse}`),
    ...(isSome
      ? [element('h3', {}, 'Refuse the change'), ...clustersByLabel(refusals, page), element('h3', {}, 'All')]
      : []),
    ...(counts === '' ? [] : [element('p', {}, counts)]),
    ...clustersByLabel(clusters, page),
  ];
}

function listenToKeys(controls: Controls, drawer: Drawer, grid: Grid, signal: AbortSignal): void {
  const onKey = (event: KeyboardEvent): void => {
    const isWriting =
      event.target instanceof HTMLElement && event.target.matches('input[type=search], select, textarea');
    if (
      event.key === '/' &&
      !isWriting &&
      !drawer.node.open &&
      !event.ctrlKey &&
      !event.metaKey &&
      !event.altKey
    ) {
      event.preventDefault();
      controls.search.focus();
      controls.search.select();
    }
  };
  document.addEventListener('keydown', onKey, { signal });
  controls.search.addEventListener('keydown', ({ key }) => {
    if (key === 'ArrowDown' || key === 'Enter') grid.node.focus();
  });
}

main();
