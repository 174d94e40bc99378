import { isJsonList, isJsonMap } from '../../../base/json/json-map.ts';
import type { Parameters } from '../parameters.ts';

/** Plain data of which some texts depend on parameters. Data without such texts is created once, for all Applications. */
export type CompiledValue =
  { readonly constant: unknown } | { readonly render: (parameters: Parameters) => unknown };

/** Replaces the parameters in a text. */
type TextReplacement = (text: string, parameters: Parameters) => string;

/** Compiles plain data. Entries without a value are dropped, and keys are texts too. */
export function compileValue(value: unknown, replace: TextReplacement): CompiledValue {
  if (typeof value === 'string')
    return value.includes('{{')
      ? { render: (parameters) => replace(value, parameters) }
      : { constant: value };
  if (isJsonList(value)) return compiledList(value.map((each) => compileValue(each, replace)));
  if (!isJsonMap(value)) return { constant: value };
  const entries = Object.entries(value)
    .filter(([, each]) => each !== null)
    .map(([key, each]) => [compileValue(key, replace), compileValue(each, replace)] as const);
  return entries.flat().every(isConstant)
    ? { constant: builtMap(entries) }
    : { render: (parameters) => builtMap(entries, parameters) };
}

function builtMap(
  entries: readonly (readonly [key: CompiledValue, value: CompiledValue])[],
  parameters?: Parameters,
): unknown {
  const built: Record<string, unknown> = {};
  for (const [compiled, value] of entries) {
    const key = String(valueOf(compiled, parameters));
    // An assignment would set the prototype.
    if (key === '__proto__') Object.defineProperty(built, key, { ...own, value: valueOf(value, parameters) });
    else built[key] = valueOf(value, parameters);
  }
  return built;
}

const own = { configurable: true, enumerable: true, writable: true };

function compiledList(items: readonly CompiledValue[]): CompiledValue {
  const build = (parameters?: Parameters): unknown => items.map((item) => valueOf(item, parameters));
  return items.every(isConstant) ? { constant: build() } : { render: build };
}

function isConstant(value: CompiledValue): boolean {
  return 'constant' in value;
}

const noParameters: Parameters = new Map();

function valueOf(value: CompiledValue, parameters: Parameters = noParameters): unknown {
  return 'constant' in value ? value.constant : value.render(parameters);
}
