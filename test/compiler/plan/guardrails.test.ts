import { describe, expect, test } from 'vitest';
import { checkGuardrails, idleGuardrails, type Guardrails } from '../../../src/compiler/plan/guardrails.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';
import { app, clusters, planOf } from './states.ts';

const none: Guardrails = { atMost: [], protect: [], approved: [] };
const typo = { text: app.replace('values: [prod, stage]', 'values: [prod]') };
const edited = { text: app.replace('"warn"', '"debug"') };

function messages(head: { text?: string; fleet?: string }, guardrails: Partial<Guardrails>): string[] {
  const { plan } = planOf({}, head, ['env']);
  return checkGuardrails(plan, { ...none, ...guardrails }).diagnostics.map(
    ({ code, message }) => `${code}: ${message}`,
  );
}

const prod = (most: number | { percent: number }) => ({
  atMost: [{ value: { label: 'env', value: 'prod', most } }],
});

describe('uninstalls', () => {
  test('are limited to the allowed number (FW8004)', () => {
    expect(messages(typo, { maxUninstalls: { value: 2 } })).toEqual([]);
    expect(messages(typo, { maxUninstalls: { value: 0 } })).toEqual([
      'FW8004: the change uninstalls an add-on from a cluster 2 times, but the guardrails allow at most 0',
    ]);
  });

  test('are unlimited by default', () => {
    expect(messages(typo, {})).toEqual([]);
  });
});

describe('clusters with a label', () => {
  test('may be reached up to a number or a share (FW8005)', () => {
    expect(messages(edited, prod(3))).toEqual([]);
    expect(messages(edited, prod({ percent: 100 }))).toEqual([]);
    expect(messages(edited, prod(2))).toEqual([
      'FW8005: the change reaches 3 of 3 clusters with env=prod, but the guardrails allow at most 2',
    ]);
    expect(messages(edited, prod({ percent: 99.9 }))).toEqual([
      'FW8005: the change reaches 3 of 3 clusters with env=prod, but the guardrails allow at most 99.9%',
    ]);
  });

  test('do not count if an add-on only moves, or for another value', () => {
    expect(messages(typo, prod(0))).toEqual([]);
  });

  test('count also if they have lost it: removing the label does not avoid the limit', () => {
    const relabelled = fleetOf({ ...clusters, c1: { env: 'prd' }, c2: { env: 'prd' }, c3: { env: 'prd' } });
    expect(messages({ fleet: relabelled }, prod({ percent: 10 }))).toEqual([
      'FW8005: the change reaches 3 of 3 clusters with env=prod, but the guardrails allow at most 10%',
    ]);
  });

  test('that do not exist are never too many', () => {
    expect(
      messages(edited, { atMost: [{ value: { label: 'env', value: 'none', most: { percent: 0 } } }] }),
    ).toEqual([]);
  });
});

describe('protected clusters', () => {
  test('are named with their possible effect (FW8006)', () => {
    expect(messages(edited, { protect: [{ value: 'c1' }, { value: 'c6' }] })).toEqual([
      'FW8006: the change reaches the protected cluster "c1": "hello" is changed',
    ]);
    const gone = fleetOf({ ...clusters, c4: { env: 'dev' } });
    expect(messages({ fleet: gone }, { protect: [{ value: 'c4' }] })).toEqual([
      'FW8006: the change reaches the protected cluster "c4": "hello" is uninstalled',
    ]);
  });
});

describe('guardrails that guard nothing (FW8011)', () => {
  const idle = (guardrails: Partial<Guardrails>): string[] =>
    idleGuardrails(
      [
        {
          base: resolveText(app, { fleet: fleetOf(clusters) }).resolution,
          head: resolveText(app, { fleet: fleetOf({ c7: { env: 'test' } }) }).resolution,
        },
      ],
      { ...none, ...guardrails },
    ).map(({ message }) => message);

  test('speak of clusters that neither state has', () => {
    expect(
      idle({
        ...prod(0),
        protect: [{ value: 'c1' }, { value: 'c7' }, { value: 'c9' }],
      }),
    ).toEqual(['there is no cluster "c9", so this guardrail has no effect']);
    const atMost = ['test', 'prdo'].map((value) => ({ value: { label: 'env', value, most: 0 } }));
    expect(idle({ atMost })).toEqual(['no cluster has env=prdo, so this guardrail has no effect']);
  });

  test('are empty without any changes', () => {
    expect(idle({ maxUninstalls: { value: 0 } })).toEqual([]);
  });
});

describe('an approval', () => {
  const { plan } = planOf({}, typo, ['env']);
  const strict: Guardrails = { ...none, maxUninstalls: { value: 0 } };

  test('is of this plan and no other', () => {
    const { hash } = checkGuardrails(plan, strict).plan;
    expect(checkGuardrails(plan, { ...strict, approved: [hash] })).toMatchObject({
      diagnostics: [],
      approved: true,
    });
    const other = planOf({}, edited).plan.hash;
    expect(checkGuardrails(plan, { ...strict, approved: [other] }).diagnostics).toHaveLength(1);
  });

  test('is not needed if nothing is exceeded', () => {
    expect(checkGuardrails(plan, { ...none, approved: [plan.hash] })).toEqual({
      diagnostics: [],
      approved: false,
      plan,
    });
  });

  test('is of the guardrails that the plan exceeds, and of no stricter ones', () => {
    const { hash, effects } = checkGuardrails(plan, strict).plan;
    expect(effects.exceeded).toEqual([{ code: 'FW8004', guardrail: 'maxUninstalls' }]);
    expect(hash).not.toBe(plan.hash);
    const stricter = { ...strict, ...prod(0), protect: [{ value: 'c5' }], approved: [hash] };
    expect(checkGuardrails(plan, stricter)).toMatchObject({
      approved: false,
      diagnostics: [{ code: 'FW8004' }, { code: 'FW8006' }],
    });
  });

  test('follows the hint, with the hash', () => {
    expect(checkGuardrails(plan, strict).diagnostics[0]?.hint).toBe(
      `if this is intended, approve the plan: add ${checkGuardrails(plan, strict).plan.hash} to guardrails.approved`,
    );
  });
});
