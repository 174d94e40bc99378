import type { PageAddOn, PageWave, PlanPage } from '../compiler/report/plan-page-data.ts';
import { button, counted, element } from './element.ts';
import { labelCounts } from './group.ts';
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
  readonly turn: number;
}

interface Turn {
  readonly number: number;
  readonly wave: PageWave;
  readonly turn: number;
}

type Open = (addOn: PageAddOn, number: number) => void;

/** The waves of all add-ons on one axis: a lane for each add-on, a column for each moment at which a wave begins. */
export class Timeline {
  readonly node: HTMLElement;
  readonly #page: PlanPage;
  readonly #open: Open;
  readonly #grid = element('div', { class: 'timeline', role: 'group', 'aria-label': 'Waves' });
  readonly #lanes: readonly { readonly addOn: PageAddOn; readonly turns: readonly Turn[] }[];
  readonly #moments: readonly Moment[];
  #most = shownMoments;
  #isWanted: (cluster: number) => boolean = () => true;

  constructor(page: PlanPage, open: Open) {
    this.#page = page;
    this.#open = open;
    this.#lanes = page.addOns
      .map((addOn) => ({ addOn, turns: turnsOf(addOn) }))
      .filter(({ turns }) => turns.length > 0);
    this.#moments = momentsOf(this.#lanes.flatMap(({ turns }) => turns));
    this.node = element('section', {}, element('h2', {}, 'Waves'), this.#grid);
    this.node.hidden = this.#lanes.length === 0;
    this.#grid.addEventListener('keydown', (event) => {
      if (moveFocus(this.#grid, event.key)) event.preventDefault();
    });
    this.#draw();
  }

  /** Counts the matching clusters in each wave; waves without any stay, dimmed. */
  show(isWanted: (cluster: number) => boolean): void {
    this.#isWanted = isWanted;
    this.#draw();
  }

  #draw(): void {
    const shown = this.#moments.slice(0, this.#most);
    const columns = new Map(shown.map((moment, index) => [keyOf(moment), index + 2]));
    const heads = shown.map(({ when, turn }, index) =>
      placed(element('div', { class: 'when' }, turn === 0 ? when : 'then'), 1, index + 2),
    );
    const rows = this.#lanes.flatMap(({ addOn, turns }, lane) => [
      placed(element('div', { class: 'lane', title: addOn.name }, addOn.name), lane + 2, 1),
      ...turns.flatMap((turn) => {
        const column = columns.get(keyOf({ after: turn.wave.after, turn: turn.turn }));
        return column === undefined ? [] : [placed(this.#block(addOn, turn), lane + 2, column)];
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
      this.#most = this.#moments.length;
      this.#draw();
    });
    this.node.append(show);
  }

  #block(addOn: PageAddOn, { number, wave }: Turn): HTMLButtonElement {
    const all = numbersOf(wave.clusters);
    const wanted = all.filter(this.#isWanted);
    const clusters =
      wanted.length === all.length
        ? counted(all.length, 'cluster')
        : `${wanted.length.toLocaleString('en')} of ${counted(all.length, 'cluster')}`;
    const counts = labelCounts(wanted, this.#page);
    const words = counts === '' ? clusters : `${clusters} (${counts})`;
    const block = button({ class: 'wave', title: words }, `${number}: ${words}`, () => {
      this.#open(addOn, number);
    });
    block.toggleAttribute('data-none', wanted.length === 0);
    block.setAttribute('aria-label', `${addOn.name}, wave ${number}, ${wave.when}: ${words}`);
    return block;
  }
}

/** Orders the waves of an add-on that begin at the same time: each waits for the one before it. */
function turnsOf({ waves }: PageAddOn): Turn[] {
  let turn = 0;
  return waves.map((wave, index) => {
    turn = wave.after === waves[index - 1]?.after ? turn + 1 : 0;
    return { number: index + 1, wave, turn };
  });
}

function momentsOf(turns: readonly Turn[]): Moment[] {
  const moments = new Map(
    turns.map(({ wave: { after, when }, turn }) => [keyOf({ after, turn }), { after, when, turn }]),
  );
  return [...moments.values()].sort((a, b) => a.after - b.after || a.turn - b.turn);
}

function keyOf({ after, turn }: Pick<Moment, 'after' | 'turn'>): string {
  return `${after} ${turn}`;
}

function placed<Placed extends HTMLElement>(node: Placed, row: number, column: number): Placed {
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
  const place = (node: HTMLElement): readonly [number, number] => [
    Number(node.style.gridRowStart),
    Number(node.style.gridColumnStart),
  ];
  const [row, column] = place(from);
  const distance = (node: HTMLElement): number => {
    const [toRow, toColumn] = place(node);
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
