import type { Chart } from './load-chart.ts';
import { renderChart } from './render-chart.ts';
import type { RenderInput } from './rendering/chart-program.ts';

/**
 * Returns the path of the value that a template demands with `required` or `fail`: the one that it reads last, if that has no value.
 * Undefined for other faults, and if the template reads another value last.
 */
export function missingValue(chart: Chart, input: RenderInput): string | undefined {
  const { onTopValue: _, ...quiet } = input;
  const fault = renderChart(chart, quiet).faults.find(
    ({ code, message }) => code === 'FW6027' && message.startsWith('execution error at '),
  );
  if (fault?.template === undefined) return undefined;
  const last = chart.program.faultIn(quiet, fault.template)?.reads[0];
  return last === undefined || (last.value ?? '') !== '' ? undefined : last.path.join('.');
}
