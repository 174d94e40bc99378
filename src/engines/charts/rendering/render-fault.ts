import { TemplateError, TemplateLimitError, UnsupportedFunctionError } from '../../gotemplate/index.ts';
import type { ChartFault } from '../chart-fault.ts';
import { ChartRenderError } from '../engine.ts';

/**
 * Returns the fault for an error of a template; undefined for an error of another kind.
 *
 * @param fileOf - the file of each template
 */
export function renderFault(error: unknown, fileOf: ReadonlyMap<string, string>): ChartFault | undefined {
  if (error instanceof TemplateLimitError)
    return { code: 'FW6029', message: error.message, ...placeOf(error, fileOf) };
  if (!(error instanceof ChartRenderError)) return undefined;
  const place = error.cause instanceof TemplateError ? placeOf(error.cause, fileOf) : {};
  const code = isUnsupported(error) ? 'FW6028' : 'FW6027';
  const template = fileOf.get(error.template) ?? error.template;
  return { code, message: error.message, template, ...place };
}

function placeOf(
  { position }: TemplateError | TemplateLimitError,
  fileOf: ReadonlyMap<string, string>,
): Pick<ChartFault, 'file' | 'line' | 'column'> {
  if (position === undefined) return {};
  const { template, line, column } = position;
  return {
    file: fileOf.get(template) ?? template,
    line,
    ...(column !== undefined && { column: column + 1 }),
  };
}

function isUnsupported(error: Error): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof UnsupportedFunctionError) return true;
  return false;
}
