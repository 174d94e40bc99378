import { isDeepStrictEqual } from 'node:util';
import { ChartError, type ChartFault } from '../chart-fault.ts';
import type { SampleOf } from '../engine.ts';
import type { RenderedManifest } from './chart-program.ts';

/** What a chart renders. */
export interface RenderedObjects {
  readonly manifests: RenderedManifest[];
  readonly warnings: ChartFault[];
}

/** A chart that calls a function that is random or reads the clock. */
interface ChartByChance {
  /** Renders it with samples for some files. It throws a ChartError for a call in another one. */
  readonly render: (sampleOf: SampleOf) => RenderedObjects;
  readonly isUsed: (manifest: RenderedManifest) => boolean;
}

/** Returns the fault of a call that is not supported, if that is what ended a rendering. */
export function unsupportedCall(error: unknown): ChartFault | undefined {
  if (!(error instanceof ChartError)) return undefined;
  return error.faults.find(({ code }) => code === 'FW6028');
}

/**
 * Returns what a chart renders, if no manifest that is used depends on functions that are random or read the clock: they are the same
 * with other results of these functions.
 *
 * @param fault - of the first call
 * @throws {ChartError} for another fault of the chart, or for a call on which a used manifest depends, the first one if possible
 */
export function outputWithoutChance(chart: ChartByChance, fault: ChartFault): RenderedObjects {
  const first = attempt(() => chart.render(() => 'first'));
  if ('faults' in first) throw isElsewhere(first, fault) ? first : new ChartError(fault);
  const second = attempt(() => chart.render(() => 'second'));
  if ('faults' in second) throw new ChartError(fault);
  const files = dependentFiles(first.manifests, second.manifests, chart.isUsed);
  const [file] = files;
  if (file === undefined) return first;
  if (fault.template === undefined || files.has(fault.template)) throw new ChartError(fault);
  chart.render((each) => (each === file ? undefined : 'first'));
  // The file gets the text from another one, through values that both share.
  throw new ChartError(fault);
}

/** Returns the files of used manifests that differ. */
function dependentFiles(
  first: readonly RenderedManifest[],
  second: readonly RenderedManifest[],
  isUsed: ChartByChance['isUsed'],
): ReadonlySet<string> {
  const files = new Set<string>();
  for (let index = 0; index < Math.max(first.length, second.length); index++) {
    const [one, other] = [first[index], second[index]];
    const isEqual = one?.file === other?.file && isDeepStrictEqual(one?.object, other?.object);
    if (isEqual) continue;
    for (const each of [one, other]) if (each !== undefined && isUsed(each)) files.add(each.file);
  }
  return files;
}

/** Whether an error is in another file, so that it is no consequence of the sample. */
function isElsewhere({ faults }: ChartError, { template }: ChartFault): boolean {
  const [first] = faults;
  return first !== undefined && first.code !== 'FW6028' && (first.template ?? first.file) !== template;
}

function attempt(run: () => RenderedObjects): RenderedObjects | ChartError {
  try {
    return run();
  } catch (error) {
    if (error instanceof ChartError) return error;
    throw error;
  }
}
