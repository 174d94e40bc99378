import type { PlanPage } from '../compiler/report/html/plan-page-data.ts';
import { button, counted, element } from './element.ts';
import type { Filter } from './matrix.ts';

/** The filters of the matrix: effect, add-on, a search, and clusters that were picked elsewhere on the page. */
export class Controls {
  readonly node: HTMLElement;
  readonly search = element('input', {
    type: 'search',
    id: 'search',
    placeholder: 'Search clusters',
    'aria-label': 'Search clusters by parts of their names or labels',
    'aria-keyshortcuts': '/',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  readonly #status = element('p', { class: 'quiet', id: 'shown', role: 'status' });
  readonly #addOn = element('select', { id: 'add-on', 'aria-label': 'Show one add-on' });
  readonly #labels: readonly HTMLSelectElement[];
  readonly #picked = element('span', { class: 'picked' });
  #effect = '';
  #only: ReadonlySet<number> | undefined;
  readonly #change: () => void;

  constructor(page: PlanPage, change: () => void) {
    this.#change = change;
    const choices = [
      this.#choice('', 'any change'),
      ...page.effects.map(({ effect, symbol, noun, count }) =>
        this.#choice(effect, `${symbol} ${noun} (${count.toLocaleString('en')})`),
      ),
    ];
    this.#addOn.append(
      element('option', { value: '' }, 'all add-ons'),
      ...page.addOns.map(({ name }, index) => element('option', { value: String(index) }, name)),
    );
    this.#addOn.addEventListener('change', change);
    this.#labels = page.labels.map(({ by, values, of }) => {
      const counts = values.map((_value, number) => of.filter((each) => each === number).length);
      const select = element(
        'select',
        { class: 'label', 'aria-label': `Show clusters by ${by}` },
        element('option', { value: '' }, `any ${by}`),
        ...values.map((value, number) =>
          element(
            'option',
            { value: String(number) },
            `${value} (${(counts[number] ?? 0).toLocaleString('en')})`,
          ),
        ),
      );
      select.addEventListener('change', change);
      return select;
    });
    this.search.addEventListener('input', change);
    this.node = element(
      'div',
      { class: 'controls', role: 'search' },
      this.search,
      this.#addOn,
      ...this.#labels,
      element('fieldset', {}, element('legend', {}, 'Show clusters with'), ...choices),
      this.#picked,
      this.#status,
    );
  }

  get filter(): Filter {
    const words = this.search.value
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const addOn = this.#addOn.value === '' ? undefined : Number(this.#addOn.value);
    const labels = new Map(
      this.#labels.flatMap(({ value }, label) => (value === '' ? [] : [[label, Number(value)] as const])),
    );
    return { effect: this.#effect, addOn, words, labels, only: this.#only };
  }

  /** Shows the number of visible clusters. */
  showCount(visible: number, all: number): void {
    this.#status.textContent =
      visible === all
        ? `${counted(all, 'cluster')} ${all === 1 ? 'changes' : 'change'}`
        : `${visible.toLocaleString('en')} of ${counted(all, 'changing cluster')}`;
  }

  /** Shows only some clusters, until the reader resets the filter. Other filters are reset. */
  pick(words: string, clusters: readonly number[], addOn: number): void {
    this.#only = new Set(clusters);
    this.#addOn.value = String(addOn);
    this.search.value = '';
    for (const select of this.#labels) select.value = '';
    this.#effect = '';
    for (const input of this.node.querySelectorAll<HTMLInputElement>('[type=radio]'))
      input.checked = input.value === '';
    const all = button({ 'aria-label': `Show all clusters again, not only ${words}` }, '✕', () => {
      this.#only = undefined;
      this.#addOn.value = '';
      this.#picked.replaceChildren();
      this.#change();
      this.search.focus();
    });
    this.#picked.replaceChildren(`only ${words} `, all);
    this.#change();
  }

  #choice(effect: string, label: string): HTMLElement {
    const input = element('input', { type: 'radio', name: 'effect', value: effect });
    input.checked = effect === '';
    input.addEventListener('change', () => {
      this.#effect = effect;
      this.#change();
    });
    return element('label', { class: effect }, input, ` ${label}`);
  }
}
