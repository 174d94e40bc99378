import {
  avoidingValues,
  type AvoidingValue,
  type Chart,
  type RenderInput,
} from '../../../engines/charts/index.ts';
import type { RenderFault } from '../fault.ts';

/** Returns what to do so that a chart does not call a function that is not supported: the values that avoid it, if there are any. */
export function remedyForCall(chart: Chart, input: RenderInput, { error }: RenderFault): string {
  if (error.includes('depends on the time'))
    return "write the time that the chart shall see into the HelmChart, such as `now: '2026-01-31T12:00:00Z'`";
  const { ways, unavoidable } = avoidingValues(chart, input);
  if (unavoidable !== undefined || ways.length === 0)
    return `no value was found that avoids the call in ${unavoidable ?? 'its templates'}: if the template reads none, copy the chart to a folder, replace the call by a value there, and use the folder`;
  const first = ways.flatMap(([way = []]) => way);
  const words = ways.map(([way = [], ...others]) =>
    others.length === 0 ? wayWords(way) : `${wayWords(way)} (or ${others.map(wayWords).join(', or ')})`,
  );
  const secret = first.some(({ value }) => value === undefined)
    ? '; for a secret, name one that exists on the clusters if the chart can read it'
    : '';
  return `set ${words.join(', ')} in \`values\` of the HelmChart, such as \`values: ${valuesText(first)}\`${secret}`;
}

function wayWords(way: readonly AvoidingValue[]): string {
  return way
    .map(({ path, value }) => `${path.join('.')}${value === undefined ? '' : `: ${text(value)}`}`)
    .join(' and ');
}

function text(value: AvoidingValue['value']): string {
  return typeof value === 'string' ? `'${value}'` : value === undefined ? "'…'" : String(value);
}

/** Returns the values as TypeScript that is YAML, too. */
function valuesText(values: readonly AvoidingValue[]): string {
  const root = new Map<string, unknown>();
  for (const { path, value } of values) {
    let inside = root;
    for (const step of path.slice(0, -1)) {
      const next = inside.get(step);
      const map = next instanceof Map ? (next as Map<string, unknown>) : new Map<string, unknown>();
      inside.set(step, map);
      inside = map;
    }
    inside.set(path.at(-1) ?? '', text(value));
  }
  return nestedText(root);
}

function nestedText(values: ReadonlyMap<string, unknown>): string {
  const entries = Array.from(values, ([key, value]) => {
    const shown = value instanceof Map ? nestedText(value as ReadonlyMap<string, unknown>) : String(value);
    return `${/^\w+$/.test(key) ? key : JSON.stringify(key)}: ${shown}`;
  });
  return `{ ${entries.join(', ')} }`;
}
