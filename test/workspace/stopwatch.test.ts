import { describe, expect, test } from 'vitest';
import { addOn, config, fleet, grouped, text } from '../compiler/rollout/scenes.ts';
import { folderWith, runIn } from '../cli/terminal.ts';
import { type Meter } from '../../src/workspace/host.ts';

const groups = { canary: ['c1', 'c2'] };
const app = text(grouped(groups), addOn({ pl: { type: 'All' } }), config());
const states = {
  'base/apps/agent/app.yaml': app,
  'base/apps/agent/fleet.yaml': text(...fleet(groups)),
  'head/apps/agent/app.yaml': app,
  'head/apps/agent/fleet.yaml': text(...fleet({ canary: ['c1', 'c2', 'c3'] })),
};

/** Every look at this clock takes a hundredth of a second. */
function slowClock(): Meter {
  let time = 500;
  return { elapsed: () => (time += 10), peakMemory: () => 123_456_789 };
}

describe('--timings', () => {
  test('prints the steps of a plan, per state', async () => {
    const folder = await folderWith(states);
    const plain = await runIn(folder, ['plan', 'base', 'head']);
    const timed = await runIn(folder, ['plan', 'base', 'head', '--timings'], '', { meter: slowClock() });
    expect(timed.out).toBe(plain.out);
    expect(timed.code).toBe(plain.code);
    expect(timed.err.slice(plain.err.length)).toBe(`timings
  check out                    0.01 s
  base: read                   0.01 s
  base: load                   0.01 s
  head: read                   0.01 s
  head: load                   0.01 s
  base: admit                  0.01 s
  base: parameters             0.01 s
  base: place                  0.01 s
  base: configure              0.01 s
  base: rollout                0.01 s
  base: render                 0.01 s
  base: check                  0.01 s
  head: admit                  0.01 s
  head: parameters             0.01 s
  head: place                  0.01 s
  head: configure              0.01 s
  head: rollout                0.01 s
  head: render                 0.01 s
  head: check                  0.01 s
  compare                      0.01 s
  report                       0.01 s
  start and everything else    0.72 s
  total                        0.93 s
  memory: 123 MB at most
  base: classes: 1 of 2 add-ons on clusters
  head: classes: 1 of 3 add-ons on clusters
`);
  });

  test('prints the steps of resolve', async () => {
    const folder = await folderWith(states);
    const { err } = await runIn(folder, ['resolve', 'base/apps/agent', '--timings'], '', {
      meter: slowClock(),
    });
    expect(err.slice(err.indexOf('timings'))).toBe(`timings
  read                         0.01 s
  load                         0.01 s
  admit                        0.01 s
  parameters                   0.01 s
  place                        0.01 s
  configure                    0.01 s
  rollout                      0.01 s
  render                       0.01 s
  check                        0.01 s
  write                        0.01 s
  start and everything else    0.61 s
  total                        0.71 s
  memory: 123 MB at most
  classes: 1 of 2 add-ons on clusters
`);
  });

  test('prints the steps of synth, which add up for several apps', async () => {
    const folder = await folderWith({
      'apps/one/app.yaml': app,
      'apps/one/fleet.yaml': states['base/apps/agent/fleet.yaml'],
      'apps/two/app.yaml': text(
        grouped(groups, 'pl2'),
        addOn({ pl2: { type: 'All' } }, 'set2', 'two'),
        config('set2'),
      ),
      'apps/two/fleet.yaml': states['base/apps/agent/fleet.yaml'],
    });
    const { code, err } = await runIn(folder, ['synth', '--timings'], '', { meter: slowClock() });
    expect(code).toBe(0);
    expect(err.slice(err.indexOf('timings'))).toBe(`timings
  read                         0.02 s
  load                         0.02 s
  admit                        0.02 s
  parameters                   0.02 s
  place                        0.02 s
  configure                    0.02 s
  rollout                      0.02 s
  render                       0.02 s
  check                        0.02 s
  emit                         0.02 s
  write                        0.01 s
  start and everything else    0.72 s
  total                        0.93 s
  memory: 123 MB at most
  classes: 2 of 4 add-ons on clusters
`);
  });

  test('prints them also if a state does not resolve', async () => {
    const folder = await folderWith({ ...states, 'head/apps/agent/app.yaml': 'kind: Placement\n' });
    const { code, out, err } = await runIn(folder, ['plan', 'base', 'head', '--timings'], '', {
      meter: slowClock(),
    });
    expect({ code, out }).toStrictEqual({ code: 1, out: '' });
    expect(err).toContain('head cannot be resolved, so that there is no plan\ntimings\n');
  });
});

describe('progress', () => {
  test('shows each step while it runs, and nothing at the end', async () => {
    const folder = await folderWith(states);
    const shown: string[] = [];
    await runIn(folder, ['plan', 'base', 'head'], '', { progress: (line) => shown.push(line) });
    expect(shown).toStrictEqual(
      [
        'check out …',
        'base: read …',
        'base: load …',
        'head: read …',
        'head: load …',
        'base: admit …',
        'base: parameters …',
        'base: place …',
        'base: configure …',
        'base: rollout …',
        'base: render …',
        'base: check …',
        'head: admit …',
        'head: parameters …',
        'head: place …',
        'head: configure …',
        'head: rollout …',
        'head: render …',
        'head: check …',
        'compare …',
        'report …',
      ].flatMap((line) => [line, '']),
    );
  });

  test('is cleared before an error is printed', async () => {
    const folder = await folderWith({});
    const shown: string[] = [];
    const { code, err } = await runIn(folder, ['plan', 'nowhere', 'head'], '', {
      progress: (line) => shown.push(line),
    });
    expect(code).toBe(2);
    expect(err).toContain('fleetwright: nowhere: no such folder\n');
    expect(shown).toStrictEqual(['check out …', '']);
  });
});
