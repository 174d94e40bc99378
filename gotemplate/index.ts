export { goFunction } from './builtins/signature.ts';
export { toValue } from './data.ts';
export {
  FunctionError,
  TemplateError,
  TemplateLimitError,
  UnsupportedFunctionError,
  type TemplatePosition,
} from './error.ts';
export { defaultLimits, type Limits } from './execution/limits.ts';
export type { OutputSegment } from './execution/output.ts';
export { positionOf } from './execution/state.ts';
export { formatValue, print, printFormat } from './format/format.ts';
export { TemplateSet, type Rendered, type TemplateOptions } from './template-set.ts';
export * from './type-name.ts';
export * from './value.ts';
