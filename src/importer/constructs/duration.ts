import { call, literal, type Expression } from '../code/expression.ts';

const units: ReadonlyMap<string, string> = new Map([
  ['h', 'hours'],
  ['m', 'minutes'],
  ['s', 'seconds'],
  ['ms', 'millis'],
]);

/** Writes a Go duration with one number and one unit, such as `90m`. Undefined for any other duration. */
export function goDuration(text: string): Expression | undefined {
  const [, amount, unit = ''] = /^(\d{1,12})(h|m|s|ms)$/.exec(text) ?? [];
  const method = units.get(unit);
  if (amount === undefined || method === undefined) return undefined;
  return call('Duration', method, literal(Number(amount)));
}

/** Writes whole seconds in the largest unit without a fraction. Undefined if there is no such duration. */
export function seconds(count: number): Expression | undefined {
  if (!Number.isSafeInteger(count) || count < 0) return undefined;
  if (count > 0 && count % 3600 === 0) return call('Duration', 'hours', literal(count / 3600));
  if (count > 0 && count % 60 === 0) return call('Duration', 'minutes', literal(count / 60));
  return call('Duration', 'seconds', literal(count));
}
