import type { PageAddOn, PageWave } from '../compiler/report/plan-page-data.ts';
import { button, counted, element } from './element.ts';
import { numbersOf } from './matrix.ts';

/** So many moments are shown at first: a rollout of one cluster at a time has as many as the fleet has clusters. */
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

/** The waves of all add-ons on one axis: a lane for each add-on, a column for each moment at which anything begins. */
export function timeline(addOns: readonly PageAddOn[], open: Open): HTMLElement {
  const lanes = addOns
    .map((addOn) => ({ addOn, turns: turnsOf(addOn) }))
    .filter(({ turns }) => turns.length > 0);
  const moments = momentsOf(lanes.flatMap(({ turns }) => turns));
  const grid = element('div', { class: 'timeline', role: 'group', 'aria-label': 'Waves' });
  const section = element('section', {}, element('h2', {}, 'Waves'), grid);
  if (lanes.length === 0) section.hidden = true;
  const draw = (most: number): void => {
    const columns = new Map(moments.slice(0, most).map((moment, index) => [keyOf(moment), index + 2]));
    const heads = [...columns.values()].map((column, index) => {
      const { when = '', turn = 0 } = moments[index] ?? {};
      return placed(element('div', { class: 'when' }, turn === 0 ? when : 'then'), 1, column);
    });
    const rows = lanes.flatMap(({ addOn, turns }, lane) => [
      placed(element('div', { class: 'lane', title: addOn.name }, addOn.name), lane + 2, 1),
      ...turns.flatMap(({ number, wave, turn }) => {
        const column = columns.get(keyOf({ after: wave.after, turn }));
        if (column === undefined) return [];
        const clusters = counted(numbersOf(wave.clusters).length, 'cluster');
        const block = button({ class: 'wave' }, `${number}: ${clusters}`, () => {
          open(addOn, number);
        });
        block.setAttribute('aria-label', `${addOn.name}, wave ${number}, ${wave.when}: ${clusters}`);
        return [placed(block, lane + 2, column)];
      }),
    ]);
    const more = moments.length - most;
    grid.replaceChildren(...heads, ...rows);
    grid.querySelectorAll<HTMLElement>('.wave').forEach((block, index) => {
      block.tabIndex = index === 0 ? 0 : -1;
    });
    section.querySelector('.more')?.remove();
    if (more > 0) {
      const show = button({ class: 'more' }, `Show ${counted(more, 'later moment')}`, () => {
        draw(moments.length);
      });
      section.append(show);
    }
  };
  draw(shownMoments);
  grid.addEventListener('keydown', (event) => {
    if (moveFocus(grid, event.key)) event.preventDefault();
  });
  return section;
}

/** Waves of an add-on that begin at the same time take turns: each waits for the one before it. */
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

/** Arrow keys lead from wave to wave: to the next of the add-on, or to the nearest of the next add-on. */
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
