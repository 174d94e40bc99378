import { goQuote } from '../go/quote.ts';
import { goJson } from '../json/go-json.ts';

/**
 * A struct whose fields the API server prints in the order of its Go type. Its internal types print all of their fields, under their
 * names in Go; a nil pointer, list or map prints as null.
 */
export class GoStruct {
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(fields: Readonly<Record<string, unknown>>) {
    this.fields = fields;
  }
}

/** Returns a value as the API server prints it in a fault. As field.Error.ErrorBody of apimachinery. */
export function printedValue(value: unknown): string {
  return typeof value === 'string' ? goQuote(value) : json(value);
}

function json(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(json).join(',')}]`;
  if (!(value instanceof GoStruct)) return goJson(value ?? null);
  const fields = Object.entries(value.fields).map(([name, field]) => `${goJson(name)}:${json(field)}`);
  return `{${fields.join(',')}}`;
}
