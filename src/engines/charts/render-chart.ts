import type { ValueMap } from '../gotemplate/index.ts';
import { ChartError, type ChartFault } from './chart-fault.ts';
import type { Chart } from './load-chart.ts';
import type { RenderInput } from './rendering/chart-program.ts';
import type { RenderedManifest } from './rendering/manifests.ts';
import type { FieldTracer } from './rendering/field-tracer.ts';
import type { GeneratedObject } from './rendering/generated-objects.ts';
import type { FieldOrigin } from './rendering/trace.ts';

/** What renderChart returns. */
export interface RenderedChart {
  /** In the order of Helm's installation; empty if a fault is an error. */
  readonly manifests: readonly RenderedManifest[];
  readonly faults: readonly ChartFault[];
  /** Secrets that are not among the manifests, because their content is random. */
  readonly generated: readonly GeneratedObject[];
}

/**
 * Renders a chart with values. It throws nothing for a chart or values that are wrong: those are faults, with Helm's message
 * and the place in the template.
 *
 * @example
 * const { manifests, faults } = renderChart(chart, {
 *   values: { replicas: 2 },
 *   release: { name: 'agent', namespace: 'agents' },
 *   capabilities: { kubeVersion: { version: 'v1.31.2' } },
 * });
 */
export function renderChart(chart: Chart, input: RenderInput): RenderedChart {
  try {
    const { manifests, warnings, generated = [] } = chart.program.render(input);
    return { manifests, faults: warnings, generated };
  } catch (error) {
    return { manifests: [], faults: faultsOf(error), generated: [] };
  }
}

/**
 * Returns the values of a chart as its templates see them: those of the input over those of its values.yaml, with the values of subcharts
 * below their names. Faults of the chart or its values are returned instead.
 */
export function chartValues(
  chart: Chart,
  input: RenderInput,
): { readonly values: ValueMap } | { readonly faults: readonly ChartFault[] } {
  try {
    return { values: chart.program.values(input) };
  } catch (error) {
    return { faults: faultsOf(error) };
  }
}

/** @throws {unknown} what is not a fault of the chart or its values */
function faultsOf(error: unknown): readonly ChartFault[] {
  if (error instanceof ChartError) return error.faults;
  if (!(error instanceof RangeError)) throw error;
  return [
    {
      code: 'FW6029',
      message: 'the values or the output are nested too deeply',
      hint: 'nest fewer maps and lists',
    },
  ];
}

/**
 * Returns which places of the templates wrote a field, which values they read, and which of them decide the field. It renders the chart
 * again, so that renderings need not keep the origins of all fields. For several fields of one rendering, use `fieldTracer`.
 *
 * @param input - what the manifest was rendered with
 * @param path - such as `['spec', 'replicas']`; empty for the whole object
 * @returns empty for a field that does not exist, and for objects of `crds/`
 */
export function traceField(
  chart: Chart,
  input: RenderInput,
  manifest: RenderedManifest,
  path: readonly (string | number)[],
): readonly FieldOrigin[] {
  return fieldTracer(chart, input).origins(manifest, path);
}

/** Returns what `traceField` returns for any field of a rendering, and renders what it needs once. */
export function fieldTracer(chart: Chart, input: RenderInput): FieldTracer {
  return chart.program.tracer(input);
}
