import type { PageAddOn, PageWave, PlanPage } from '../compiler/report/html/plan-page-data.ts';
import { button, counted, element } from './element.ts';
import { labelCounts, refusingWords } from './group.ts';
import { numbersOf } from './matrix.ts';

/**
 * Maximum number of moments that are shown at first: a rollout of one cluster at a time has one per cluster of the
 * fleet.
 */
const shownMoments = 40;

/** A column of the timeline: waves that begin at the same time, the n-th of their add-on at that time. */
interface Moment {
  readonly when: string;
  readonly after: number;
  readonly earliest: number;
  readonly position: number;
}

interface PositionedWave {
  readonly number: number;
  readonly wave: PageWave;
  readonly position: number;
}

type Open = (addOn: PageAddOn, number: number) => void;

/** The waves of all add-ons on one axis: one row per add-on, one column per moment at which a wave begins. */
export class Timeline {
  readonly node: HTMLElement;
  readonly #page: PlanPage;
  readonly #open: Open;
  readonly #grid = element('div', { class: 'timeline', role: 'group', 'aria-label': 'Waves' });
  readonly #rows: readonly { readonly addOn: PageAddOn; readonly waves: readonly PositionedWave[] }[];
  readonly #moments: readonly Moment[];
  #maxMoments = shownMoments;
  #matches: (cluster: number) => boolean = () => true;

  constructor(page: PlanPage, open: Open) {
    this.#page = page;
    this.#open = open;
    this.#rows = page.addOns
      .map((addOn) => ({ addOn, waves: positionedWaves(addOn) }))
      .filter(({ waves }) => waves.length > 0);
    this.#moments = momentsOf(this.#rows.flatMap(({ waves }) => waves));
    this.node = element('section', {}, element('h2', {}, 'Waves'), this.#grid);
    this.node.hidden = this.#rows.length === 0;
    this.#grid.addEventListener('keydown', (event) => {
      if (moveFocus(this.#grid, event.key)) event.preventDefault();
    });
    this.#draw();
  }

  /** Counts the matching clusters in each wave; waves without any stay, dimmed. */
  show(matches: (cluster: number) => boolean): void {
    this.#matches = matches;
    this.#draw();
  }

  #draw(): void {
    const shown = this.#moments.slice(0, this.#maxMoments);
    const columns = new Map(shown.map((moment, index) => [keyOf(moment), index + 2]));
    const heads = shown.map(({ when, position }, index) =>
      atCell(element('div', { class: 'when' }, position === 0 ? when : 'then'), 1, index + 2),
    );
    const rows = this.#rows.flatMap(({ addOn, waves }, rowIndex) => [
      atCell(element('div', { class: 'lane', title: addOn.name }, addOn.name), rowIndex + 2, 1),
      ...waves.flatMap((wave) => {
        const column = columns.get(keyOf({ ...wave.wave, position: wave.position }));
        return column === undefined ? [] : [atCell(this.#block(addOn, wave), rowIndex + 2, column)];
      }),
    ]);
    this.#grid.replaceChildren(...heads, ...rows);
    this.#grid.querySelectorAll<HTMLElement>('.wave').forEach((block, index) => {
      block.tabIndex = index === 0 ? 0 : -1;
    });
    this.node.querySelector('.more')?.remove();
    const more = this.#moments.length - shown.length;
    if (more <= 0) return;
    const show = button({ class: 'more' }, `Show ${counted(more, 'later moment')}`, () => {
      this.#maxMoments = this.#moments.length;
      this.#draw();
    });
    this.node.append(show);
  }

  #block(addOn: PageAddOn, { number, wave }: PositionedWave): HTMLButtonElement {
    const all = numbersOf(wave.clusters);
    const matching = all.filter(this.#matches);
    const clusters =
      matching.length === all.length
        ? counted(all.length, 'cluster')
        : `${matching.length.toLocaleString('en')} of ${counted(all.length, 'cluster')}`;
    const counts = labelCounts(matching, this.#page);
    const refusing = numbersOf(wave.refusing ?? []).filter(this.#matches);
    const refuse = refusingWords(matching.length, refusing.length);
    const words = `${clusters}${counts === '' ? '' : ` (${counts})`}${refuse}`;
    const block = button({ class: 'wave', title: words }, `${number}: ${words}`, () => {
      this.#open(addOn, number);
    });
    block.toggleAttribute('data-none', matching.length === 0);
    block.toggleAttribute('data-refused', refusing.length > 0);
    block.setAttribute('aria-label', `${addOn.name}, wave ${number}, ${wave.when}: ${words}`);
    return block;
  }
}

/** Orders the waves of an add-on that begin at the same time: each waits for the one before it. */
function positionedWaves({ waves }: PageAddOn): PositionedWave[] {
  let position = 0;
  return waves.map((wave, index) => {
    const before = waves[index - 1];
    const isThen = wave.after === before?.after && wave.earliest === before.earliest;
    position = isThen ? position + 1 : 0;
    return { number: index + 1, wave, position };
  });
}

function momentsOf(waves: readonly PositionedWave[]): Moment[] {
  const moments = new Map(
    waves.map(({ wave: { after, earliest, when }, position }) => [
      keyOf({ after, earliest, position }),
      { after, earliest, when, position },
    ]),
  );
  return [...moments.values()].sort(
    (a, b) => a.after - b.after || a.earliest - b.earliest || a.position - b.position,
  );
}

function keyOf({ after, earliest, position }: Omit<Moment, 'when'>): string {
  return `${after} ${earliest} ${position}`;
}

function atCell<N extends HTMLElement>(node: N, row: number, column: number): N {
  node.style.gridArea = `${row} / ${column}`;
  return node;
}

/**
 * Moves the focus between waves with the arrow keys: to the next wave of the add-on, or to the nearest of the next
 * add-on.
 */
function moveFocus(grid: HTMLElement, key: string): boolean {
  const steps: Readonly<Record<string, readonly [number, number]>> = {
    ArrowRight: [0, 1],
    ArrowLeft: [0, -1],
    ArrowDown: [1, 0],
    ArrowUp: [-1, 0],
  };
  const step = steps[key];
  const from = document.activeElement;
  if (step === undefined || !(from instanceof HTMLElement) || !from.classList.contains('wave')) return false;
  const cellOf = (node: HTMLElement): readonly [number, number] => [
    Number(node.style.gridRowStart),
    Number(node.style.gridColumnStart),
  ];
  const [row, column] = cellOf(from);
  const distance = (node: HTMLElement): number => {
    const [toRow, toColumn] = cellOf(node);
    const ahead = step[0] === 0 ? (toColumn - column) * step[1] : (toRow - row) * step[0];
    const aside = step[0] === 0 ? Math.abs(toRow - row) * Infinity : Math.abs(toColumn - column) / 1e6;
    return ahead > 0 ? ahead + (Number.isNaN(aside) ? 0 : aside) : Infinity;
  };
  let nearest: HTMLElement | undefined;
  for (const node of grid.querySelectorAll<HTMLElement>('.wave')) {
    if (distance(node) < (nearest === undefined ? Infinity : distance(nearest))) nearest = node;
  }
  if (nearest !== undefined) {
    from.tabIndex = -1;
    nearest.tabIndex = 0;
    nearest.focus();
  }
  return true;
}
