import { Random } from '../engines/charts/random.ts';
import type { CorpusChart } from './corpus.ts';
import { writtenValues, type WrittenValue } from './values-of-chart.ts';

type ValueSet = CorpusChart['values'][number];

/** Names of values that a chart makes by chance if they are empty. */
const secretName = /password|secret|token|key$|cert|cookie|salt/i;
const switchName = /^(?:enabled?|create|install)$/i;
/** How many values a set changes, at most. */
const mostChanges = 8;

/**
 * Returns at least `count` sets of values for a chart: those that it has, then one that turns on all of its features, then sets with some of
 * its values changed, which are the same in each run.
 */
export function valueSets(chart: CorpusChart, count: number): readonly ValueSet[] {
  const written = writtenValues(chart).filter(({ path }) => path.every((step) => typeof step === 'string'));
  const made: ValueSet[] = [];
  for (let at = 0; chart.values.length + made.length < count; at++)
    made.push(
      at === 0
        ? { name: 'all features', text: JSON.stringify(allFeatures(written)) }
        : { name: `changed values ${at}`, text: JSON.stringify(changed(written, new Random(at))) },
    );
  return [...chart.values, ...made];
}

function allFeatures(written: readonly WrittenValue[]): object {
  const switches = written.filter(({ path, value }) => value === false && switchName.test(nameOf(path)));
  return nested([...secrets(written), ...switches.map(({ path }) => [path, true] as const)]);
}

function changed(written: readonly WrittenValue[], random: Random): object {
  const changes = Array.from({ length: 1 + random.below(mostChanges) }, () => random.pick(written))
    // A chart may have no values.
    .filter((each) => each !== undefined)
    .map(({ path, value }) => [path, otherValue(value, random)] as const);
  return nested([...(random.chance(0.7) ? secrets(written) : []), ...changes]);
}

/** The secrets that are empty, each with a text. */
function secrets(written: readonly WrittenValue[]): Change[] {
  return written
    .filter(({ path, value }) => value === '' && secretName.test(nameOf(path)))
    .map(({ path }) => [path, 'c2VjcmV0'] as const);
}

type Change = readonly [path: WrittenValue['path'], value: unknown];

function nameOf(path: WrittenValue['path']): string {
  return String(path.at(-1));
}

function otherValue(value: unknown, random: Random): unknown {
  if (random.chance(0.05))
    return random.pick<unknown>([null, '', 0, false, [], {}, 'text', ['a'], { a: 'b' }]);
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return random.pick([0, 1, value + 1, 2.5, 1_000_000]);
  if (Array.isArray(value)) return random.pick<unknown>([['a'], [{ name: 'a', value: 'b' }]]);
  if (typeof value === 'object' && value !== null) return { a: 'b', 'c.d/e': '1' };
  return random.pick<unknown>([
    `${typeof value === 'string' ? value : ''}x`,
    'a: b',
    '{{ .Release.Name }}-x',
    '100m',
    'true',
    '7',
    '1.2.3',
  ]);
}

function nested(changes: readonly Change[]): object {
  const root = new Map<string, unknown>();
  for (const [path, value] of changes) {
    let inside = root;
    for (const step of path.slice(0, -1)) {
      const next = inside.get(String(step));
      const map = next instanceof Map ? (next as Map<string, unknown>) : new Map<string, unknown>();
      inside.set(String(step), map);
      inside = map;
    }
    inside.set(nameOf(path), value);
  }
  return plain(root) as object;
}

function plain(value: unknown): unknown {
  if (!(value instanceof Map)) return value;
  return Object.fromEntries(
    [...(value as ReadonlyMap<string, unknown>)].map(([key, item]) => [key, plain(item)]),
  );
}
