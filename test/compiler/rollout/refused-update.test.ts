import { describe, expect, test } from 'vitest';
import { rolloutDocument } from '../../../src/compiler/report/json/rollout-json.ts';
import { rolloutText } from '../../../src/compiler/report/text/rollout-text.ts';
import { fleetOf } from '../../resolve-text.ts';
import { selectingApp } from '../plan/selecting-app.ts';
import { predictText } from './predict-text.ts';

const fleet = fleetOf({ a: {}, b: {}, c: {}, d: {} });

/** The installation and an update of the selector, which clusters refuse whose level is not `info`. */
function predicted(strategy: string, refusing: readonly string[], failing: readonly string[] = []) {
  return predictText(selectingApp('{{LEVEL}}', strategy, refusing), {
    fleet,
    update: selectingApp('info', strategy, refusing),
    failing,
  });
}

/** The text of the update without what the hub reports. */
function updateText(result: ReturnType<typeof predicted>): string {
  const text = rolloutText(result, 5);
  return text.slice(text.indexOf('hello: update')).replace(/^ {2}default\/all reports.*\n/gm, '');
}

const oneByOne = '{ type: Progressive, progressive: { maxConcurrency: 1 } }';

describe('an update that clusters refuse', () => {
  test('stops at them', () => {
    const result = predicted(oneByOne, ['b']);
    expect(updateText(result)).toMatchInlineSnapshot(`
      "hello: update stops after 2 waves
        wave 1: 1 cluster
          default/all, group 0: a
        wave 2: 1 cluster
          default/all, group 0: b
        never ready: b, which refuses the change
        stops at default/all: waits for "b", which refuses the change, and there is no progressDeadline; 2 clusters left as before: c, d
      "
    `);
    expect(result.diagnostics.filter(({ code }) => code === 'FW8320')).toMatchObject([
      { message: expect.stringMatching(/^1 cluster refuses the change of add-on "hello"/) },
    ]);
    expect(rolloutDocument(result)).toMatchObject({
      addOns: { hello: { update: { unready: ['b'], refusing: ['b'], stops: [{ left: ['c', 'd'] }] } } },
    });
  });

  test('goes on beside them, and never has them ready', () => {
    expect(updateText(predicted('{ type: All }', ['b', 'd']))).toMatchInlineSnapshot(`
      "hello: update in 1 wave
        wave 1: 4 clusters
          default/all, group 0: a, b, c, d
        never ready: b, d, which refuse the change
      "
    `);
  });

  test('stops at clusters that fail for another reason first', () => {
    expect(updateText(predicted(oneByOne, ['b'], ['a']))).toMatchInlineSnapshot(`
      "hello: update stops after 1 wave
        wave 1: 1 cluster
          default/all, group 0: a
        never ready: a
        stops at default/all: waits for "a", and there is no progressDeadline; 3 clusters left as before: b, c, d
      "
    `);
    const both = '{ type: Progressive, progressive: { maxConcurrency: 2, progressDeadline: 5m } }';
    expect(updateText(predicted(both, ['b'], ['a']))).toMatchInlineSnapshot(`
      "hello: update stops after 1 wave
        wave 1: 2 clusters
          default/all, group 0: a, b
        never ready: a, b, of which 1 refuses the change: b
        stops at default/all: "a", "b", of which 1 refuses the change, failed, more than maxFailures allows; 2 clusters left as before: c, d
      "
    `);
  });

  test('is predicted as before if nobody refuses it', () => {
    const { update, diagnostics } = predicted(oneByOne, []);
    expect(update?.get('hello')).toMatchObject({ stops: [], unready: [] });
    expect(update?.get('hello')).not.toHaveProperty('refusing');
    expect(diagnostics.map(({ code }) => code)).not.toContain('FW8320');
  });
});
