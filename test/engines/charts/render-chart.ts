import { ChartRenderError, ChartTemplates } from '../../../src/engines/charts/engine.ts';
import { valuesMap } from '../../../src/engines/charts/values/values-map.ts';
import { toValue, type Value, type ValueMap } from '../../../src/engines/gotemplate/index.ts';
import type { Answer, ChartCase } from './case.ts';
import { wellFormed } from './execute.ts';

/** Returns what our engine makes of a chart, as the Go program answers. */
export function renderCase({ chart }: ChartCase): Answer {
  const basePath = `${chart.name}/templates`;
  const values: ValueMap = new Map<string, Value>([
    ['Values', valuesMap(toValue(chart.values) as ValueMap)],
    ['Release', releaseValue(chart)],
  ]);
  try {
    const templates = chart.templates.map(({ name, text }) => ({
      name: `${chart.name}/${name}`,
      text,
      basePath,
    }));
    const files = new ChartTemplates(templates).render(() => values, { strict: chart.strict });
    return { files: Object.fromEntries([...files].map(([name, text]) => [name, wellFormed(text)])) };
  } catch (error) {
    if (error instanceof ChartRenderError) return { error: wellFormed(error.message) };
    throw error;
  }
}

function releaseValue({ release, namespace }: ChartCase['chart']): ValueMap {
  return toValue({
    Name: release,
    Namespace: namespace,
    IsUpgrade: false,
    IsInstall: false,
    Revision: 0n,
    Service: 'Helm',
  }) as ValueMap;
}
