import { isDeepStrictEqual } from 'node:util';
import { ChartError, type ChartFault } from '../chart-fault.ts';
import { Sample, type SampleKind } from '../../gotemplate/index.ts';
import type { SampleOf } from '../engine.ts';
import type { RenderedManifest } from './manifests.ts';
import { differOnlyByPodAnnotations, generatedObject, type GeneratedObject } from './generated-objects.ts';

/** What a chart renders. */
export interface RenderedObjects {
  readonly manifests: RenderedManifest[];
  readonly warnings: ChartFault[];
  /** Secrets that are not among the manifests, because their content is random. @default - none */
  readonly generated?: readonly GeneratedObject[];
}

/** A chart that calls a function that is random or reads the clock. */
interface ChartByChance {
  /** Renders it without samples. It throws a ChartError for the first call. */
  readonly renderPlain: () => RenderedObjects;
  /**
   * Renders it with samples for some files. It throws a ChartError for a call in another one.
   *
   * @param clock - which time functions read that read the clock. @default - that of the sample
   */
  readonly render: (sampleOf: SampleOf, clock?: SampleKind) => RenderedObjects;
  readonly isUsed: (manifest: RenderedManifest) => boolean;
  /** Whether Secrets can be random, which are then returned separately, and annotations of Pods, which then have a sample. */
  readonly separatesSecrets: boolean;
}

/** Returns the fault of a call that is not supported, if that is what ended a rendering. */
export function unsupportedCall(error: unknown): ChartFault | undefined {
  if (!(error instanceof ChartError)) return undefined;
  return error.faults.find(({ code }) => code === 'FW6028');
}

/**
 * Returns what a chart renders, if no manifest that is used depends on functions that are random or read the clock: they are the same
 * with other results of these functions. Secrets and annotations of Pods can depend on them if the chart allows it.
 *
 * @param call - the fault of the first call, if the chart was rendered without samples
 * @throws {ChartError} for another fault of the chart, or for a call on which a used manifest depends, the first one if possible
 */
export function outputWithoutChance(chart: ChartByChance, call?: ChartFault): RenderedObjects {
  const [one, other] = [new Sample('first'), new Sample('second')];
  const first = attempt(() => chart.render(() => one));
  if (!one.isUsed) return 'faults' in first ? chart.renderPlain() : first;
  if ('faults' in first) {
    const fault = call ?? firstCall(chart);
    throw fault === undefined || isElsewhere(first, fault) ? first : new ChartError(fault);
  }
  const second = attempt(() => chart.render(() => other));
  const compared = 'faults' in second ? undefined : differences(first, second, chart);
  if (compared?.isRestarting === true && compared.files.size === 0 && (one.readsClock || other.readsClock))
    addFilesByClock(compared.files, first, chart);
  if (compared?.files.size === 0) return withoutSecrets(first, compared.generated);
  const fault = call ?? firstCall(chart);
  if (fault === undefined) return chart.renderPlain();
  const [file] = compared?.files ?? [];
  if (file !== undefined && fault.template !== undefined && compared?.files.has(fault.template) !== true)
    chart.render((each) => (each === file ? undefined : one));
  // The file can get the text from another one, through values that both share.
  throw new ChartError(fault);
}

/** Returns the fault of the first call. Undefined if a template drops the results of all calls. */
function firstCall({ renderPlain }: ChartByChance): ChartFault | undefined {
  const rendered = attempt(renderPlain);
  return 'faults' in rendered ? unsupportedCall(rendered) : undefined;
}

/** How two renderings differ. */
interface Differences {
  /** The files of used manifests that differ and must not. */
  readonly files: Set<string>;
  readonly generated: readonly GeneratedObject[];
  /** Whether annotations of Pods differ. */
  readonly isRestarting: boolean;
}

function differences(
  { manifests: first }: RenderedObjects,
  { manifests: second }: RenderedObjects,
  { isUsed, separatesSecrets }: ChartByChance,
): Differences {
  const files = new Set<string>();
  const generated: GeneratedObject[] = [];
  let isRestarting = false;
  for (let index = 0; index < Math.max(first.length, second.length); index++) {
    const [one, other] = [first[index], second[index]];
    const isEqual = one?.file === other?.file && isDeepStrictEqual(one?.object, other?.object);
    if (isEqual) continue;
    const used = [one, other].filter((each) => each !== undefined).filter(isUsed);
    if (separatesSecrets && one !== undefined && other !== undefined && one.file === other.file) {
      const object = generatedObject(one, other);
      if (object !== undefined) {
        if (used.length > 0) generated.push(object);
        continue;
      }
      if (differOnlyByPodAnnotations(one, other)) {
        isRestarting ||= used.length > 0;
        continue;
      }
    }
    for (const each of used) files.add(each.file);
  }
  return { files, generated, isRestarting };
}

/** An annotation with a time that is no time of the cluster would be wrong, so the clock must not decide it. */
function addFilesByClock(files: Set<string>, first: RenderedObjects, chart: ChartByChance): void {
  const sample = new Sample('first');
  const later = attempt(() => chart.render(() => sample, 'second'));
  if ('faults' in later) throw later;
  const byClock = differences(first, later, { ...chart, separatesSecrets: true });
  if (!byClock.isRestarting) return;
  for (const file of differences(first, later, { ...chart, separatesSecrets: false }).files) files.add(file);
}

function withoutSecrets(rendered: RenderedObjects, generated: readonly GeneratedObject[]): RenderedObjects {
  if (generated.length === 0) return rendered;
  const secrets = new Set(generated.map(({ manifest }) => manifest));
  return { ...rendered, manifests: rendered.manifests.filter((each) => !secrets.has(each)), generated };
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
