import { expect, test } from 'vitest';
import { Metrics } from '../../../src/controller/operation/metrics.ts';
import { CauseHistory } from '../../../src/controller/status/cause-history.ts';
import type { Reading } from '../../../src/controller/status/reading.ts';
import { ReadingMetrics } from '../../../src/controller/status/reading-metrics.ts';
import { addOnWith, classOf, readingOf } from './readings.ts';

/** Returns the series of the comparison after these readings, without their help. */
async function seriesOf(readings: readonly Reading[], maxAddOns = 10): Promise<readonly string[]> {
  const metrics = new Metrics(false);
  const ofReadings = new ReadingMetrics(metrics, maxAddOns);
  const history = new CauseHistory();
  for (const [index, reading] of readings.entries()) {
    const now = (index + 1) * 1000;
    ofReadings.set(reading, history.add(reading, now).oldest, { now, duration: 2500 });
  }
  const text = await metrics.registry.metrics();
  return text.split('\n').filter((line) => /^fleetwright_predicted_(?!reading_failures|events)/.test(line));
}

test('clusters are counted by state and cause', async () => {
  const reading = readingOf(
    addOnWith(
      'hello',
      5,
      classOf('different manifest-conflict: c1 c2'),
      classOf('on the way hub-pending: c3'),
    ),
  );
  expect(await seriesOf([{ ...reading, notInGit: ['a', 'b'], unread: ['manifestworks'] }])).toEqual([
    'fleetwright_predicted_add_on_clusters{add_on="hello",state="as-predicted"} 5',
    'fleetwright_predicted_add_on_clusters{add_on="hello",state="on-the-way"} 1',
    'fleetwright_predicted_add_on_clusters{add_on="hello",state="different"} 2',
    'fleetwright_predicted_add_on_clusters{add_on="hello",state="unhealthy"} 0',
    'fleetwright_predicted_cause_clusters{add_on="hello",state="different",cause="manifest-conflict"} 2',
    'fleetwright_predicted_cause_clusters{add_on="hello",state="on-the-way",cause="hub-pending"} 1',
    'fleetwright_predicted_cause_since_timestamp_seconds{add_on="hello",state="different",cause="manifest-conflict"} 1',
    'fleetwright_predicted_cause_since_timestamp_seconds{add_on="hello",state="on-the-way",cause="hub-pending"} 1',
    'fleetwright_predicted_add_ons{series="separate"} 1',
    'fleetwright_predicted_add_ons{series="other"} 0',
    'fleetwright_predicted_uncompared_add_ons 2',
    'fleetwright_predicted_unread_kinds 1',
    'fleetwright_predicted_last_success_timestamp_seconds 1',
    'fleetwright_predicted_reading_duration_seconds 2.5',
  ]);
});

test('series of add-ons and causes that are gone disappear', async () => {
  const before = readingOf(
    addOnWith('gone', 1, classOf('unhealthy degraded: c1')),
    addOnWith('hello', 1, classOf('different manifest-conflict: c1')),
  );
  const series = await seriesOf([before, readingOf(addOnWith('hello', 2))]);
  expect(series.filter((line) => /gone|manifest-conflict|since/.test(line))).toEqual([]);
  expect(series).toContain('fleetwright_predicted_add_on_clusters{add_on="hello",state="different"} 0');
});

test('add-ons beyond the maximum are summed, whatever their order', async () => {
  const reading = readingOf(
    addOnWith('c', 3, classOf('different manifest-conflict: c1')),
    addOnWith('a', 1),
    addOnWith('b', 2, classOf('different manifest-conflict: c1 c2')),
  );
  const series = await seriesOf([reading], 1);
  expect(series.filter((line) => line.includes('_other') || line.includes('series='))).toEqual([
    'fleetwright_predicted_add_on_clusters{add_on="_other",state="as-predicted"} 5',
    'fleetwright_predicted_add_on_clusters{add_on="_other",state="on-the-way"} 0',
    'fleetwright_predicted_add_on_clusters{add_on="_other",state="different"} 3',
    'fleetwright_predicted_add_on_clusters{add_on="_other",state="unhealthy"} 0',
    'fleetwright_predicted_cause_clusters{add_on="_other",state="different",cause="manifest-conflict"} 3',
    'fleetwright_predicted_cause_since_timestamp_seconds{add_on="_other",state="different",cause="manifest-conflict"} 1',
    'fleetwright_predicted_add_ons{series="separate"} 1',
    'fleetwright_predicted_add_ons{series="other"} 2',
  ]);
});

test('no label names a cluster, and no add-on can be called as the others are', async () => {
  const metrics = new Metrics(false);
  new ReadingMetrics(metrics, 1);
  const labels = metrics.registry
    .getMetricsAsArray()
    .flatMap((metric) => ('labelNames' in metric ? (metric.labelNames as readonly string[]) : []));
  expect(labels).toContain('add_on');
  expect(labels).not.toContain('cluster');
  // As Kubernetes: names of objects are DNS subdomains.
  expect('_other').not.toMatch(/^[a-z0-9]/);
});
