export { newestVersion } from './chart-versions.ts';
export type { ChartFault, ChartFaultCode } from './chart-fault.ts';
export { IgnoreRules } from './loading/ignore-rules.ts';
export { loadChart, type Chart, type LoadedChart, type LoadOptions } from './load-chart.ts';
export { renderChart, traceField, type RenderedChart } from './render-chart.ts';
export type { Capabilities, Release } from './rendering/built-in-objects.ts';
export type { ChartRules, RenderedManifest, RenderInput } from './rendering/chart-program.ts';
export type { FieldOrigin } from './rendering/trace.ts';
export { valueUse, type ChartLine } from './value-use.ts';
