import type { ChartFault } from '../chart-fault.ts';
import { chartsOf, type ChartDependency, type ChartNode } from '../chart.ts';
import { inFolder } from './load-tree.ts';

/** Warns of what Chart.yaml asks for and a program that embeds the engine does not do with the subcharts that exist. */
export function ignoredFeatures(root: ChartNode, program: string): ChartFault[] {
  return declared(root, true)
    .map(([chart, { name, condition, tags, alias, importValues }]) => {
      const features = [
        ...(condition === '' ? [] : ['condition']),
        ...(tags.length === 0 ? [] : ['tags']),
        ...(alias === '' ? [] : ['alias']),
        ...(importValues.length === 0 ? [] : ['import-values']),
      ];
      return features.length === 0
        ? undefined
        : ({
            code: 'FW6032',
            message: `${program} ignores ${features.join(', ')} of the dependency "${name}" and always renders the subchart`,
            file: inFolder(chart.folder, 'Chart.yaml'),
          } satisfies ChartFault);
    })
    .filter((fault) => fault !== undefined);
}

/** Helm refuses to install a chart whose dependencies are missing. Its engine renders the chart without them. */
export function missingDependencies(root: ChartNode): ChartFault[] {
  return declared(root, false).map(([chart, { chart: name }]) => ({
    code: 'FW6033',
    message: `the folder charts/ has no chart "${name}", which Chart.yaml requires`,
    file: inFolder(chart.folder, 'Chart.yaml'),
    hint: 'run `helm dependency build`',
  }));
}

/** Returns the fault of a template with the charts that may have what it includes, if `charts/` lacks some. */
export function withMissingCharts(fault: ChartFault, root: ChartNode): ChartFault {
  if (!fault.message.includes('no template "')) return fault;
  const names = new Set(declared(root, false).map(([, { chart }]) => chart));
  if (names.size === 0) return fault;
  return {
    ...fault,
    hint: `get the charts that the folder charts/ does not have with \`helm dependency build\`: ${[...names].join(', ')}`,
  };
}

/** @param exists - whether the subchart of the dependency is among the files */
function declared(root: ChartNode, exists: boolean): (readonly [ChartNode, ChartDependency])[] {
  return chartsOf(root).flatMap((chart) => {
    const names = new Set(chart.dependencies.map(({ name }) => name));
    return (chart.metadata.dependencies ?? [])
      .filter(({ name }) => names.has(name) === exists)
      .map((dependency) => [chart, dependency] as const);
  });
}
