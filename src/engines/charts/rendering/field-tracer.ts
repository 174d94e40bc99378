import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import type { Rendered, Tree } from '../../gotemplate/index.ts';
import type { RenderedManifest } from './manifests.ts';
import { originsOf, type FieldOrigin } from './trace.ts';
import type { ValuePath } from './value-path.ts';
import type { ValueTrials } from './value-trials.ts';

/** The output of a template with its origins. */
export interface TracedOutput {
  readonly output: Rendered;
  /** The names of the charts around the template, without the root: their values are below these names. */
  readonly charts: readonly string[];
  /** Returns the file of a template. */
  readonly fileOf: (template: string) => string;
  readonly lookup: (name: string) => Tree | undefined;
}

/** What a tracer renders, for each file of a chart. */
interface TracedChart {
  readonly outputOf: (file: string) => TracedOutput | undefined;
  /** @param text - of the template of the file */
  readonly trialsOf: (file: string, text: string) => ValueTrials | undefined;
}

/** Finds what writes and decides the fields of the manifests of one rendering. */
export class FieldTracer {
  readonly #chart: TracedChart;
  readonly #outputs = new Map<string, TracedOutput | undefined>();
  readonly #trials = new Map<string, ValueTrials | undefined>();

  constructor(chart: TracedChart) {
    this.#chart = chart;
  }

  /**
   * Returns the origins of a field, in the order of the output.
   *
   * @param path - such as `['spec', 'replicas']`; empty for the whole object
   * @param tries - whether to find the values that decide the field, with a rendering for each value that the template reads
   * @throws {ChartError}
   */
  origins(
    manifest: RenderedManifest,
    path: readonly (string | number)[],
    { tries = true }: { readonly tries?: boolean } = {},
  ): readonly FieldOrigin[] {
    const { file } = manifest;
    const traced = getOrInsertComputed(this.#outputs, file, () => this.#chart.outputOf(file));
    if (traced === undefined) return [];
    const { output, charts, fileOf, lookup } = traced;
    const origins = originsOf(output, manifest, path, fileOf, lookup);
    if (!tries || origins.length === 0) return origins;
    const trials = getOrInsertComputed(this.#trials, file, () => this.#chart.trialsOf(file, output.text));
    const deciding = trials?.decidingValues(manifest, path) ?? [];
    return withValues(origins, deciding, charts);
  }
}

/**
 * Adds each value to the actions whose template reads it. If none does by its name, the value belongs to those of unknown values. Of a
 * field without actions, the values decide which text is written.
 */
function withValues(
  origins: readonly FieldOrigin[],
  deciding: readonly ValuePath[],
  charts: readonly string[],
): readonly FieldOrigin[] {
  const read = origins.map(({ isText, paths }) =>
    isText ? [] : deciding.filter((value) => paths.some((path) => isAround(path, value, charts))),
  );
  const others = deciding.filter((value) => !read.some((values) => values.includes(value)));
  const isWithout = (index: number): boolean => origins[index]?.isText === false && read[index]?.length === 0;
  const first = Math.max(
    0,
    origins.findIndex(({ isText }) => !isText),
  );
  const hasUnknown = origins.some((_, index) => isWithout(index));
  return origins.map((origin, index) => {
    const takesOthers = hasUnknown ? isWithout(index) : index === first;
    return { ...origin, values: [...(read[index] ?? []), ...(takesOthers ? others : [])] };
  });
}

/** Whether a path that a template names, such as `Values.image`, is a value or contains it. */
function isAround(path: string, value: ValuePath, charts: readonly string[]): boolean {
  const [root, ...own] = path.split('.');
  if (root !== 'Values' || own.length === 0) return false;
  const keys = (own[0] === 'global' ? own : [...charts, ...own]).join('.');
  const wanted = value.filter((step) => typeof step === 'string').join('.');
  return wanted === keys || wanted.startsWith(`${keys}.`);
}
