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
export { floatText } from './format/float.ts';
export { formatValue, print, printFormat } from './format/format.ts';
export { Sample, type SampleKind } from './sample.ts';
export { checkSize } from './size.ts';
export { TemplateSet, type Rendered, type TemplateOptions } from './template-set.ts';
export * from './type-name.ts';
export * from './value.ts';
export { quoted, quotedRune } from './quote.ts';
export { parseFloatText, parseIntegerText } from './syntax/number-literal.ts';
export { byteLength, bytesOf, byteSlice, compareBytes, sortedKeys, textOf } from './text.ts';
export type { Tree } from './syntax/parser.ts';
export type { Expression, ListNode, PipeNode, Statement } from './syntax/node.ts';
