import type { Chart } from './load-chart.ts';

/** A line of a chart. */
export interface ChartLine {
  /** Such as `templates/deployment.yaml`. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
}

/** Returns the first line of a template, of the chart or of a subchart, that names a value. Comments count too. */
export function valueUse(chart: Chart, name: string): ChartLine | undefined {
  for (const { file, text } of chart.program.templates) {
    const index = text.split('\n').findIndex((line) => line.includes(name));
    if (index >= 0) return { file, line: index + 1 };
  }
  return undefined;
}
