import { ChartError } from '../chart-fault.ts';

/** Bounds of a chart with all charts inside of it. The sizes are those of Helm. */
const largestFile = 5 * 1024 * 1024;
const largestChart = 100 * 1024 * 1024;
const mostFiles = 10_000;
const deepest = 20;

/** Counts the files of a chart, and of the archives in it. */
export class ChartBounds {
  #files = 0;
  #bytes = 0;

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

  /** @throws {ChartError} for charts in charts in charts */
  checkDepth(depth: number, file: string): void {
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
