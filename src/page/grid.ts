import { element } from './element.ts';
import type { Matrix } from './matrix.ts';

/** Rows that exist outside of the view, so that scrolling shows no gaps. */
const spare = 10;
/** The width of a column with words, in pixels: `--cell`. */
const wideColumn = 144;
/** The part of the page that names take at most. */
const namesShare = 0.45;
const minLineLength = 8;
const maxLineLength = 48;
/** With longer names, rows would be mostly empty. */
const maxLines = 8;
/** The number of characters by which their width is measured. */
const probeLength = 100;

/** Handles a key or a click that opens a whole cluster, or one add-on on it. */
type Open = (cluster: number, addOn: number | undefined) => void;

/** Returns the length of the longest text. */
function longest(texts: readonly string[]): number {
  return texts.reduce((length, text) => Math.max(length, text.length), 8);
}

/**
 * The matrix on the screen, as an ARIA grid with one tab stop. Only the rows in view exist, so that thousands of
 * clusters cost nothing.
 */
export class Grid {
  readonly node: HTMLElement;
  readonly #matrix: Matrix;
  readonly #open: Open;
  readonly #body = element('div', { class: 'rows', role: 'rowgroup' });
  readonly #head = element('div', { role: 'rowgroup', class: 'head' });
  /** The clusters with their labels. */
  readonly #rowHeads: readonly { readonly name: string; readonly labels: string }[];
  /** The width of the page for which the columns were measured. */
  #width = 0;
  #clusters: readonly number[] = [];
  #columns: readonly number[] = [];
  /** The active cell: a row from 0, -1 for the head; a column from 0, which contains the names. */
  #row = 0;
  #column = 0;

  constructor(matrix: Matrix, open: Open) {
    this.#matrix = matrix;
    this.#open = open;
    this.node = element(
      'div',
      { class: 'matrix', id: 'matrix', role: 'grid', tabindex: '0', 'aria-label': 'Clusters by add-ons' },
      this.#head,
      this.#body,
    );
    const { clusters, addOns } = matrix.page;
    this.#rowHeads = clusters.map((name, cluster) => ({ name, labels: matrix.labels(cluster).join(' ') }));
    const headLength = longest(addOns.map(({ name }) => name));
    // A vertical head has two lines. Half of the text may not be where a line can end.
    const lineLength = Math.max(Math.min(headLength, 26), Math.ceil(headLength / 2) + 4);
    this.node.style.setProperty('--label', `${lineLength}ch`);
    let isDue = false;
    this.node.addEventListener('scroll', () => {
      if (isDue) return;
      isDue = true;
      requestAnimationFrame(() => {
        isDue = false;
        this.#draw();
      });
    });
    this.node.addEventListener('keydown', (event) => {
      this.#key(event);
    });
    this.node.addEventListener('click', (event) => {
      this.#click(event);
    });
    const observer = new ResizeObserver(() => {
      // The page of another plan has taken its place.
      if (!this.node.isConnected) observer.disconnect();
      this.#fit();
      this.#draw();
    });
    observer.observe(document.body);
  }

  /**
   * Sets the width of the names, and the height of the rows in which all of them can be read: names take less than half of the
   * page, so that the columns are in view. Columns that do not fit next to them contain only signs.
   */
  #fit(): void {
    const width = this.node.parentElement?.clientWidth ?? 0;
    if (width === 0 || width === this.#width) return;
    this.#width = width;
    const probe = element('div', { role: 'rowheader', class: 'probe' }, '0'.repeat(probeLength));
    this.node.append(probe);
    const characterWidth = probe.scrollWidth / probeLength;
    probe.remove();
    const spareCharacters = 3;
    const room = Math.floor((width * namesShare) / characterWidth) - spareCharacters;
    const length = longest(this.#rowHeads.map(({ name, labels }) => `${name} ${labels}`));
    const lineLength = Math.max(minLineLength, Math.min(length, maxLineLength, room));
    const linesOf = (text: string): number => Math.ceil(text.length / lineLength);
    const lines =
      length <= lineLength
        ? 1
        : this.#rowHeads.reduce(
            (most, { name, labels }) => Math.max(most, linesOf(name) + linesOf(labels)),
            1,
          );
    this.node.style.setProperty('--name', `${lineLength + spareCharacters}ch`);
    this.node.style.setProperty('--lines', String(Math.min(lines, maxLines)));
    this.node.classList.toggle('tall', lines > 1);
    const fits = (lineLength + spareCharacters) * characterWidth + this.#columns.length * wideColumn <= width;
    this.node.classList.toggle('narrow', this.#columns.length > 1 && !fits);
  }

  /** Shows some clusters and add-ons, from the top. */
  show(clusters: readonly number[], columns: readonly number[]): void {
    this.#clusters = clusters;
    this.#columns = columns;
    this.#row = 0;
    this.#column = Math.min(this.#column, columns.length);
    // The content below is more useful than hundreds of rows with one cell each.
    this.node.classList.toggle('single', columns.length === 1);
    this.node.style.setProperty('--columns', String(columns.length));
    this.node.setAttribute('aria-rowcount', String(clusters.length + 1));
    this.node.setAttribute('aria-colcount', String(columns.length + 1));
    this.#body.style.setProperty('--rows', String(clusters.length));
    this.#head.replaceChildren(this.#headRow());
    this.#width = 0;
    this.#fit();
    this.node.scrollTop = 0;
    this.#draw();
  }

  get #rowHeight(): number {
    return this.#body.clientHeight / Math.max(1, this.#clusters.length);
  }

  #headRow(): HTMLElement {
    const names = this.#columns.map((column) => this.#matrix.page.addOns[column]?.name ?? '');
    return element(
      'div',
      { role: 'row', 'aria-rowindex': '1' },
      ...['cluster', ...names].map((name, index) =>
        element(
          'div',
          { role: 'columnheader', 'aria-colindex': String(index + 1), title: name },
          element('span', {}, name),
        ),
      ),
    );
  }

  #draw(): void {
    const height = this.#rowHeight;
    const from = height === 0 ? 0 : Math.max(0, Math.floor(this.node.scrollTop / height) - spare);
    const rowCount = height === 0 ? 0 : Math.ceil(this.node.clientHeight / height) + 2 * spare;
    const rows = this.#clusters
      .slice(from, from + rowCount)
      .map((cluster, index) => this.#rowElement(cluster, from + index));
    this.#body.replaceChildren(...rows);
    const active = this.#body.querySelector('.active');
    if (active === null) this.node.removeAttribute('aria-activedescendant');
    else this.node.setAttribute('aria-activedescendant', active.id);
  }

  #rowElement(cluster: number, row: number): HTMLElement {
    const name = this.#matrix.page.clusters[cluster] ?? '';
    const cells = this.#columns.map((addOn, index) => this.#cell(cluster, addOn, row, index + 1));
    const labels = this.#matrix.labels(cluster);
    const title = [name, ...labels].join(' ');
    const head = this.#setPosition(element('div', { role: 'rowheader', title }, name), row, 0);
    if (labels.length > 0) head.append(element('span', { class: 'quiet' }, ` ${labels.join(' ')}`));
    const line = element('div', { role: 'row', 'aria-rowindex': String(row + 2) }, head, ...cells);
    line.style.setProperty('--row', String(row));
    return line;
  }

  #cell(cluster: number, addOn: number, row: number, column: number): HTMLElement {
    const matrixCell = this.#matrix.cell(addOn, cluster);
    const cell = this.#setPosition(element('div', { role: 'gridcell' }), row, column);
    if (matrixCell === undefined) {
      cell.setAttribute('aria-label', 'no change');
      return cell;
    }
    const { effect } = matrixCell.group;
    const { symbol = '', noun = '' } =
      this.#matrix.page.effects.find((occurring) => occurring.effect === effect) ?? {};
    const wave = this.#matrix.wave(addOn, cluster);
    cell.classList.add('change', effect);
    cell.setAttribute('aria-label', wave === 0 ? noun : `${noun}, wave ${wave}`);
    cell.title = `${matrixCell.addOn.name}: ${noun}`;
    if (this.#matrix.page.showsWaves === true && wave > 0)
      cell.append(element('span', {}, 'wave '), element('b', {}, String(wave)));
    else cell.append(element('b', {}, symbol), element('span', {}, ` ${noun}`));
    return cell;
  }

  /** Sets the position of a cell; clicks and the active cell use the row and column. */
  #setPosition(cell: HTMLElement, row: number, column: number): HTMLElement {
    cell.id = `cell-${row}-${column}`;
    cell.setAttribute('aria-colindex', String(column + 1));
    if (row === this.#row && column === this.#column) cell.classList.add('active');
    return cell;
  }

  #click(event: Event): void {
    const target = event.target instanceof Element ? event.target.closest('[id^=cell-]') : null;
    const [, row, column] = /^cell-(\d+)-(\d+)$/.exec(target?.id ?? '') ?? [];
    if (row === undefined || column === undefined) return;
    this.#row = Number(row);
    this.#column = Number(column);
    this.#draw();
    this.#openActive();
  }

  #openActive(): void {
    const cluster = this.#clusters[this.#row];
    const addOn = this.#columns[this.#column - 1];
    if (cluster === undefined) return;
    if (addOn === undefined || this.#matrix.cell(addOn, cluster) !== undefined) this.#open(cluster, addOn);
  }

  #key(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (altKey || this.#clusters.length === 0) return;
    if (key === 'Enter' || key === ' ') this.#openActive();
    else if (!this.#move(key, ctrlKey || metaKey)) return;
    event.preventDefault();
  }

  /** Whether the key moves the active cell. */
  #move(key: string, isFar: boolean): boolean {
    const page = Math.max(1, Math.floor(this.node.clientHeight / this.#rowHeight) - 3);
    const lastRow = this.#clusters.length - 1;
    const lastColumn = this.#columns.length;
    const [row, column] = [this.#row, this.#column];
    const moves: Readonly<Record<string, readonly [number, number]>> = {
      ArrowUp: [isFar ? 0 : row - 1, column],
      ArrowDown: [isFar ? lastRow : row + 1, column],
      ArrowLeft: [row, isFar ? 0 : column - 1],
      ArrowRight: [row, isFar ? lastColumn : column + 1],
      PageUp: [row - page, column],
      PageDown: [row + page, column],
      Home: [isFar ? 0 : row, 0],
      End: [isFar ? lastRow : row, lastColumn],
    };
    const moved = moves[key];
    if (moved === undefined) return false;
    this.#row = Math.min(lastRow, Math.max(0, moved[0]));
    this.#column = Math.min(lastColumn, Math.max(0, moved[1]));
    this.#reveal();
    this.#draw();
    return true;
  }

  /**
   * Scrolls so that the active cell is neither outside of the view nor below the head or the names, which stay in
   * place.
   */
  #reveal(): void {
    const height = this.#rowHeight;
    const top = this.#row * height;
    const room = this.node.clientHeight - this.#head.offsetHeight;
    if (top < this.node.scrollTop) this.node.scrollTop = top;
    else if (top + height > this.node.scrollTop + room) this.node.scrollTop = top + height - room;
    const [names, cell] = this.#head.querySelectorAll<HTMLElement>('[role=columnheader]');
    if (names === undefined || cell === undefined || this.#column === 0) return;
    const left = (this.#column - 1) * cell.offsetWidth;
    const width = this.node.clientWidth - names.offsetWidth;
    if (left < this.node.scrollLeft) this.node.scrollLeft = left;
    else if (left + cell.offsetWidth > this.node.scrollLeft + width)
      this.node.scrollLeft = left + cell.offsetWidth - width;
  }
}
