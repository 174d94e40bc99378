import { ChartError, type ChartFault } from './chart-fault.ts';
import type { Chart } from './load-chart.ts';
import type { RenderInput, RenderedManifest } from './rendering/chart-program.ts';

/** What renderChart returns. */
export interface RenderedChart {
  /** In the order in which they are put into works; empty if a fault is an error. */
  readonly manifests: readonly RenderedManifest[];
  readonly faults: readonly ChartFault[];
}

/**
 * Renders a chart for one cluster. It throws nothing for a chart or values that are wrong: those are faults, with Helm's message
 * and the place in the template.
 *
 * @example
 * const { manifests, faults } = renderChart(chart, {
 *   values: { clusterName: 'cluster1', addonInstallNamespace: 'agents', installMode: 'Default' },
 *   release: { name: 'agent', namespace: 'agents' },
 *   capabilities: { kubeVersion: { version: 'v1.31.2' } },
 * });
 */
export function renderChart(chart: Chart, input: RenderInput): RenderedChart {
  try {
    const { manifests, warnings } = chart.program.render(input);
    return { manifests, faults: warnings };
  } catch (error) {
    if (!(error instanceof ChartError)) throw error;
    return { manifests: [], faults: error.faults };
  }
}
