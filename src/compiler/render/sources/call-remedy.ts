import {
  avoidingValues,
  missingValue,
  withValues,
  type AvoidingValue,
  type Chart,
  type RenderInput,
} from '../../../engines/charts/index.ts';
import type { RenderFault } from '../fault.ts';

/** Returns what to do so that a chart does not call a function that is not supported: the values that avoid it, if there are any. */
export function remedyForCall(chart: Chart, input: RenderInput, { error }: RenderFault): string {
  if (error.includes('depends on the time'))
    return "write the time that the chart shall see into the HelmChart, such as `now: '2026-01-31T12:00:00Z'`";
  const { words, unavoidable } = valuesWithoutCalls(chart, input);
  if (words === '')
    return `no value was found that avoids the call in ${unavoidable ?? 'its templates'}: if the template reads none, copy the chart to a folder, replace the call by a value there, and use the folder`;
  return words;
}

/** The values with which a chart calls nothing that is not supported. */
interface OtherValues {
  /** What to set; empty if no values were found. */
  readonly words: string;
  /** Where a call is that no value avoids. */
  readonly unavoidable?: string;
}

/** Searches the values with which a chart calls nothing that is not supported. */
export function valuesWithoutCalls(chart: Chart, input: RenderInput): OtherValues {
  const { ways, unavoidable } = avoidingValues(chart, input);
  if (unavoidable !== undefined || ways.length === 0)
    return { words: '', ...(unavoidable !== undefined && { unavoidable }) };
  const first = ways.flatMap(([way = []]) => way);
  const words = ways.map(([way = [], ...others]) =>
    others.length === 0 ? wayWords(way) : `${wayWords(way)} (or ${others.map(wayWords).join(', or ')})`,
  );
  const secret = first.some(({ value }) => value === undefined)
    ? '; for a secret, name one that exists on the clusters if the chart can read it'
    : '';
  return {
    words: `set ${words.join(', ')} in \`values\` of the HelmChart, such as \`values: ${shown(withValues(new Map(), first, anyText))}\`${secret}`,
  };
}

/** Returns what to do if a template calls `required` or `fail`: the value to set, if it can be found. */
export function remedyForDemand(chart: Chart, input: RenderInput): string {
  const value = missingValue(chart, input);
  return value === undefined
    ? 'correct the chart or its values'
    : `the template reads ${value} last, which has no value: set it in \`values\` of the HelmChart`;
}

function wayWords(way: readonly AvoidingValue[]): string {
  return way
    .map((each) => {
      const { path, value, isItem = false } = each;
      const name = path.join('.');
      return value === undefined && !isItem ? name : `${name}: ${shown(isItem ? [value] : value)}`;
    })
    .join(' and ');
}

/** Returns values as TypeScript that is YAML, too. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(shown).join(', ')}]`;
  if (typeof value === 'boolean') return String(value);
  if (!(value instanceof Map)) return `'${typeof value === 'string' ? value : anyText}'`;
  const entries = Array.from(
    value as ReadonlyMap<string, unknown>,
    ([key, inner]) => `${/^\w+$/.test(key) ? key : JSON.stringify(key)}: ${shown(inner)}`,
  );
  return `{ ${entries.join(', ')} }`;
}

/** What the user replaces by a text. */
const anyText = '…';
