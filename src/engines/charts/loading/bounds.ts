import { ChartError } from '../chart-fault.ts';

/** Bounds of a chart with all charts inside of it. The sizes are those of Helm. */
const largestFile = 5 * 1024 * 1024;
const largestChart = 100 * 1024 * 1024;
const mostFiles = 10_000;
const deepest = 20;
const mostCharts = 200;
/** Files, folders and headers of archives. */
const mostEntries = 20_000;

/** Counts the files of a chart, and of the archives in it. */
export class ChartBounds {
  #files = 0;
  #bytes = 0;
  #charts = 0;
  #entries = 0;

  /** The bytes that the rest of the chart may have. */
  get remaining(): number {
    return largestChart - this.#bytes;
  }

  /** @throws {ChartError} beyond a bound */
  add(file: string, size: number): void {
    this.#files += 1;
    this.#bytes += size;
    if (size > largestFile)
      throw tooLarge(
        `chart file ${JSON.stringify(file)} is larger than the maximum file size ${String(largestFile)}`,
        file,
      );
    if (this.#bytes > largestChart)
      throw tooLarge(`the chart is larger than the maximum size ${String(largestChart)}`, file);
    if (this.#files > mostFiles) throw tooLarge(`the chart has more than ${String(mostFiles)} files`, file);
  }

  /** @throws {ChartError} for an archive with too many entries, which need not be files */
  addEntry(archive: string): void {
    this.#entries += 1;
    if (this.#entries > mostEntries)
      throw tooLarge(`the archive has more than ${String(mostEntries)} entries`, archive);
  }

  /** @throws {ChartError} for too many charts, and for charts in charts in charts */
  addChart(depth: number, file: string): void {
    this.#charts += 1;
    if (this.#charts > mostCharts)
      throw tooLarge(`more than ${String(mostCharts)} charts are in the chart`, file);
    if (depth > deepest) throw tooLarge(`more than ${String(deepest)} charts are inside of each other`, file);
  }
}

export function tooLarge(message: string, file: string): ChartError {
  return new ChartError({
    code: 'FW6024',
    message,
    file,
    hint: 'remove the files that no template needs, for example with .helmignore',
  });
}
