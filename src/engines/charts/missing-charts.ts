import { ChartError } from './chart-fault.ts';
import type { ChartDependency } from './chart.ts';
import { loadRoot } from './load-chart.ts';

/** A chart that Chart.yaml requires and that the folder `charts/` does not contain. */
export type MissingChart = Pick<ChartDependency, 'version' | 'repository'> & {
  /** The name of the chart, not its alias. */
  readonly name: string;
};

/**
 * Returns the charts that the Chart.yaml of a folder requires and that are not in its folder `charts/`. As in `helm dependency build`, it
 * makes no difference whether values enable them. Empty for a chart that cannot be loaded.
 */
export function missingCharts(files: ReadonlyMap<string, Uint8Array>): readonly MissingChart[] {
  try {
    const { root } = loadRoot(files, 'helm');
    const names = new Set(root.dependencies.map(({ name }) => name));
    const missing = new Map<string, MissingChart>();
    for (const { chart: name, version, repository } of root.metadata.dependencies ?? [])
      if (!names.has(name)) missing.set(`${name} ${version} ${repository}`, { name, version, repository });
    return [...missing.values()];
  } catch (error) {
    if (error instanceof ChartError || error instanceof RangeError) return [];
    throw error;
  }
}
