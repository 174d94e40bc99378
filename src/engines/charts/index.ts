export type { ChartFault, ChartFaultCode } from './chart-fault.ts';
export { loadChart, type Chart, type LoadedChart, type LoadOptions } from './load-chart.ts';
export { renderChart, traceField, type RenderedChart } from './render-chart.ts';
export type { Capabilities, Release } from './rendering/built-in-objects.ts';
export type { ChartRules, RenderedManifest, RenderInput } from './rendering/chart-program.ts';
export type { FieldOrigin } from './rendering/trace.ts';
export { valueUse, type ChartLine } from './value-use.ts';
export type { ChartHook, HookEvent } from './rendering/hooks.ts';
