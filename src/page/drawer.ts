import { button, element } from './element.ts';

/** A panel that opens over the page and takes the focus. Escape, the button and a click beside it close it. */
export class Drawer {
  readonly node: HTMLDialogElement;
  readonly #title = element('h2', { id: 'drawer-title' });
  readonly #content = element('div');

  constructor() {
    const close = button({ class: 'close', 'aria-label': 'Close' }, '✕', () => {
      this.close();
    });
    this.node = element(
      'dialog',
      { 'aria-labelledby': 'drawer-title' },
      element('div', { class: 'bar' }, this.#title, close),
      this.#content,
    );
    this.node.addEventListener('click', (event) => {
      if (event.target === this.node) this.close();
    });
  }

  open(title: string, ...content: readonly Node[]): void {
    this.#title.textContent = title;
    this.#content.replaceChildren(...content);
    if (!this.node.open) this.node.showModal();
    this.node.scrollTop = 0;
  }

  /** The browser returns the focus to the previous element. */
  close(): void {
    this.node.close();
  }
}
