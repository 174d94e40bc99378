import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { compareText } from '../../src/base/collections/compare-text.ts';
import { causes } from '../../src/compiler/index.ts';
import { Metrics } from '../../src/controller/operation/metrics.ts';
import { eventResults, ReadingMetrics } from '../../src/controller/status/reading-metrics.ts';
import { readingFailures } from '../../src/controller/status/reading.ts';
import { statusSettings } from '../../src/controller/status/status-settings.ts';

const docs = path.resolve(import.meta.dirname, '../../docs');
const read = (file: string): string => readFileSync(path.join(docs, file), 'utf8');
const page = read('monitoring.md');

/** The cells of the first column of the table in a section, each with the others. */
function tableOf(section: string): ReadonlyMap<string, string> {
  const [, text = ''] = page.split(new RegExp(`^## ${section}$`, 'm'));
  const rows = text.split(/^## /m)[0]?.matchAll(/^\| (`.*?) +\| (.*?) +\|$/gm) ?? [];
  return new Map([...rows].map(([, name = '', rest = '']) => [name, rest]));
}

test('the page has all metrics with their labels, and no others', () => {
  const metrics = new Metrics(false);
  new ReadingMetrics(metrics, 1);
  const registered = metrics.registry.getMetricsAsArray().flatMap(({ name, ...metric }) => {
    const { labelNames = [] } = metric as { readonly labelNames?: readonly string[] };
    const labels = labelNames.length === 0 ? '' : `{${labelNames.join(',')}}`;
    return name.startsWith('fleetwright_predicted_') ? [`\`${name}${labels}\``] : [];
  });
  const table = tableOf('Metrics');
  expect([...table.keys()].sort()).toEqual(registered.sort());
  const failures = table.get('`fleetwright_predicted_reading_failures_total{reason}`') ?? '';
  expect([...failures.matchAll(/`([\w-]+)`/g)].map(([, reason]) => reason)).toEqual(readingFailures);
  const results = table.get('`fleetwright_predicted_events_total{result}`') ?? '';
  expect([...results.matchAll(/`(\w+)`/g)].map(([, result = '']) => result).toSorted(compareText)).toEqual(
    eventResults.toSorted(),
  );
});

test('the page has all settings with their defaults', () => {
  const rows = [...tableOf('Settings')].flatMap(([names, rest]) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, rest] as const),
  );
  expect(rows.map(([name]) => name).sort()).toEqual(Object.keys(statusSettings).sort());
  const byName = new Map(rows);
  const wrong = Object.entries(statusSettings).filter(([name, { default: value, defaultDescription }]) => {
    const written = byName.get(name)?.startsWith(`\`${defaultDescription ?? String(value)}\` `);
    return value !== undefined && written !== true;
  });
  expect(wrong).toEqual([]);
});

test('the alerts name states and causes that exist', () => {
  const rules = read('monitoring/prometheus-rule.yaml');
  const states = [...rules.matchAll(/state="([^"]+)"/g)].map(([, state = '']) => state.replaceAll('-', ' '));
  expect(new Set(states)).toEqual(new Set(Object.values(causes).map(({ state }) => state)));
  const named = [...rules.matchAll(/cause!~"([^"]+)"/g)].flatMap(([, list = '']) => list.split('|'));
  expect(named.length).toBeGreaterThan(0);
  for (const code of named) expect(Object.keys(causes)).toContain(code);
});
