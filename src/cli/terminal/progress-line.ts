/** The parts of the terminal that a progress line needs. */
interface Screen {
  readonly columns: number;
  write(text: string): void;
}

/** The line of a terminal that shows the progress. It is cleared before any other output. */
export class ProgressLine {
  readonly #screen: Screen;
  #isShown = false;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** Replaces the previous text, cut to one line: of two lines only the second would be replaced. */
  show(text: string): void {
    this.#screen.write(`\r\u001b[K${text.slice(0, Math.max(0, this.#screen.columns - 1))}`);
    this.#isShown = text !== '';
  }

  /** Clears the line before other output is written to the terminal. */
  giveWay(): void {
    if (this.#isShown) this.show('');
  }
}
