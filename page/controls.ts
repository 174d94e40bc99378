import type { PlanPage } from '../compiler/report/plan-page-data.ts';
import { button, element } from './element.ts';
import type { Filter } from './matrix.ts';

/** What narrows the matrix: effect, add-on, a search, and clusters that were picked elsewhere on the page. */
export class Controls {
  readonly node: HTMLElement;
  readonly search = element('input', {
    type: 'search',
    id: 'search',
    placeholder: 'Search clusters',
    'aria-label': 'Search clusters by parts of their names',
    'aria-keyshortcuts': '/',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  readonly #status = element('p', { class: 'quiet', id: 'shown', role: 'status' });
  readonly #addOn = element('select', { id: 'add-on', 'aria-label': 'Show one add-on' });
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
    this.search.addEventListener('input', change);
    this.node = element(
      'div',
      { class: 'controls', role: 'search' },
      this.search,
      this.#addOn,
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
    return { effect: this.#effect, addOn, words, only: this.#only };
  }

  /** Says how many clusters there are to see. */
  tell(shown: number, all: number): void {
    this.#status.textContent = `${shown.toLocaleString('en')} of ${all.toLocaleString('en')} clusters that change`;
  }

  /** Shows some clusters only, until the reader wants all again; other filters end. */
  pick(words: string, clusters: readonly number[], addOn: number): void {
    this.#only = new Set(clusters);
    this.#addOn.value = String(addOn);
    this.search.value = '';
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
