/** What a progress line needs of the terminal that it is on. */
interface Screen {
  readonly columns: number;
  write(text: string): void;
}

/** The line of a terminal that says what goes on. It gives way to everything else that is written there. */
export class ProgressLine {
  readonly #screen: Screen;
  #isShown = false;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** Shows a text in place of the one before, cut to one line: of two lines only the second would be replaced. */
  show(text: string): void {
    this.#screen.write(`\r\u001b[K${text.slice(0, Math.max(0, this.#screen.columns - 1))}`);
    this.#isShown = text !== '';
  }

  /** Before something else is written to the terminal. */
  giveWay(): void {
    if (this.#isShown) this.show('');
  }
}
