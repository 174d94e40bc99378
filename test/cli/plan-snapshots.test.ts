import { describe, expect, test } from 'vitest';
import { app, clusters } from '../compiler/plan/states.ts';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn, type Ran } from './terminal.ts';

/** A fleet as `fleet pull` writes it; the clock of these tests is fixed at 2026-06-01T00:00:00Z. */
const snapshot = (takenAt: string): string => `apiVersion: v1
kind: List
metadata:
  annotations:
    fleetwright.dev/taken-at: "${takenAt}"
items: []
---
${fleetOf(clusters)}`;

async function planWith(takenAt: string, settings = '', ...options: readonly string[]): Promise<Ran> {
  const cwd = await folderWith({
    'old/apps/hello/hub.yaml': app,
    'old/apps/hello/fleet.yaml': fleetOf(clusters),
    'old/fleetwright.yaml': settings,
    'new/apps/hello/hub.yaml': app.replace('"warn"', '"debug"'),
    'new/apps/hello/fleet.yaml': snapshot(takenAt),
    'new/fleetwright.yaml': settings,
  });
  return await runIn(cwd, ['plan', 'old', 'new', ...options]);
}

describe('the age of the fleet snapshot', () => {
  test('is shown by plan', async () => {
    const { code, err } = await planWith('2026-05-30T12:00:00Z');
    expect({ code, err }).toEqual({ code: 0, err: 'apps/hello/fleet.yaml was taken 36 hours ago\n\n' });
  });

  test('is reported if its time cannot be read: FW8076', async () => {
    const { code, err } = await planWith('last Tuesday');
    expect(code).toBe(0);
    expect(err).toContain(
      'warning FW8076: the time of the fleet snapshot (fleetwright.dev/taken-at) cannot be read, so its age and its scope are not checked\n --> apps/hello/fleet.yaml:1:1\n',
    );
  });

  test('is warned of when it is old: FW8007', async () => {
    const { code, err } = await planWith('2026-05-20T00:00:00Z');
    expect(code).toBe(0);
    expect(err).toMatchInlineSnapshot(`
      "warning FW8007: the fleet snapshot was taken 12 days ago, but the maximum age is 7 days
       --> apps/hello/fleet.yaml:1:1
        |
      1 | apiVersion: v1
        | ^
        = hint: fleetwright fleet pull --out apps/hello/fleet.yaml takes a new one; fleet.maxAge in fleetwright.yaml sets the maximum age

      1 warning
      apps/hello/fleet.yaml was taken 12 days ago

      "
    `);
  });

  test('may be set in fleetwright.yaml or on the command line', async () => {
    expect((await planWith('2026-05-20T00:00:00Z', 'fleet: { maxAge: 14d }')).err).not.toContain('FW8007');
    expect((await planWith('2026-05-31T12:00:00Z', 'fleet: { maxAge: 6h }')).err).toContain('FW8007');
    expect((await planWith('2026-05-31T12:00:00Z', '', '--max-age', '30m')).err).toContain(
      'but the maximum age is 30 minutes',
    );
    expect(await planWith('2026-05-31T12:00:00Z', '', '--max-age', 'x')).toMatchObject({
      code: 2,
      err: 'fleetwright: --max-age x is not a valid age\n  use the form 7d or 12h\n',
    });
  });

  test('is the time in JSON and Markdown, which does not change by itself', async () => {
    const json = await planWith('2026-05-30T12:00:00Z', '', '-o', 'json');
    expect(JSON.parse(json.out)).toMatchObject({
      snapshots: [{ file: 'apps/hello/fleet.yaml', takenAt: '2026-05-30T12:00:00Z' }],
    });
    const markdown = await planWith('2026-05-30T12:00:00Z', '', '-o', 'markdown');
    expect(markdown.out).toMatch(
      /<sub>plan `[0-9a-f]{64}`, `apps\/hello\/fleet\.yaml` of 2026-05-30T12:00:00Z<\/sub>\n$/,
    );
  });

  test('reports nothing if the time is not recorded', async () => {
    const cwd = await folderWith({
      'old/hub.yaml': app,
      'new/hub.yaml': app,
      'fleet.yaml': fleetOf(clusters),
    });
    expect((await runIn(cwd, ['plan', 'old', 'new', '--fleet', 'fleet.yaml'])).err).toBe('');
  });

  test.each([
    ['2026-05-30T11:20:00Z', true],
    ['2026-05-30T11:40:00Z', false],
  ])(
    '%s is the time of the resolution, so that a toleration of half an hour applies: %s',
    async (takenAt, holds) => {
      const tainted = snapshot(takenAt).replaceAll(
        'hubAcceptsClient: true',
        'hubAcceptsClient: true, taints: [{ key: a, effect: NoSelect, timeAdded: "2026-05-30T11:00:00Z" }]',
      );
      const tolerant = app.replaceAll(
        '  tolerations:',
        '  tolerations:\n  - { key: a, operator: Exists, tolerationSeconds: 1800 }',
      );
      const cwd = await folderWith({ 'hub.yaml': tolerant, 'fleet.yaml': tainted });
      const { out } = await runIn(cwd, [
        'explain',
        '--path',
        'hub.yaml',
        '--fleet',
        'fleet.yaml',
        'c1',
        'hello',
      ]);
      expect(out.startsWith('"c1" has "hello"')).toBe(holds);
    },
  );
});

test('objects whose metadata has fields of other types are findings of plan', async () => {
  const odd = (kind: string): string =>
    `apiVersion: v1\nkind: ${kind}\nmetadata: { name: odd, namespace: [a], kind: 5, group: {} }\n`;
  const cwd = await folderWith({
    'old/apps/hello/hub.yaml': `${app}---\n${odd('Namespace')}`,
    'old/apps/hello/fleet.yaml': fleetOf(clusters),
    'new/apps/hello/hub.yaml': app,
    'new/apps/hello/fleet.yaml': `${fleetOf(clusters)}---\n${odd('7')}`,
  });
  const { code, err } = await runIn(cwd, ['plan', 'old', 'new']);
  expect(code).toBe(1);
  expect(err).toMatch(/^error FW20\d\d: /m);
});
