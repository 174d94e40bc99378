import { describe, expect, test } from 'vitest';
import { comparedApps, requiredOfOthers } from '../../../src/compiler/check/requirements/across-apps.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { addOn, customResource, customResourceDefinition, resolved, textsOf } from './required-states.ts';

const inputOf = (app: readonly object[]) => ({ ...resolved(app).resolution, hub: hubVersion('1.3') });

/** The findings between apps. */
function across(...apps: readonly (readonly object[])[]): string[] {
  return textsOf(comparedApps(apps.map(inputOf)).findings);
}

describe('an add-on of another app', () => {
  const a = addOn('a', { requires: 'b' });

  test('is on all clusters of the add-on that requires it', () => {
    expect(across(a, addOn('b'))).toEqual([]);
  });

  test('FW4015: is not on some of them', () => {
    expect(across(a, addOn('b', { placement: 'prod' }))).toMatchInlineSnapshot(`
      [
        "error FW4015: 1 cluster gets add-on "a" without "b", which it requires ("c4"): its placements select 3 of 4 clusters with "a"
      install "b" on these clusters too, or do not install "a" there",
      ]
    `);
  });

  test('FW4017: breaks a condition', () => {
    const conditions = addOn('a', { requires: 'b X=1 version>=2' });
    const b = addOn('b', { variables: { X: '2' }, labels: { 'app.kubernetes.io/version': '1.9.0' } });
    expect(across(conditions, b)).toMatchInlineSnapshot(`
      [
        "error FW4017: add-on "a" requires "b" with X=1, but on 4 clusters, such as "c1", AddOnDeploymentConfig "default/b" sets "2"
      set X of "b" to "1" on these clusters, or change the requirement of "a"",
        "error FW4017: add-on "a" requires "b" with version >=2, but on 4 clusters, such as "c1", AddOnTemplate "b" has 1.9.0
      deliver a version of "b" that satisfies >=2 on these clusters, or change the requirement of "a"",
      ]
    `);
  });

  test('FW4016: requires the add-on too', () => {
    expect(across(a, addOn('b', { requires: 'c' }), addOn('c', { requires: 'a' }))).toMatchInlineSnapshot(`
      [
        "error FW4016: "a" requires "b" requires "c" requires "a": none of them can be installed first
      remove one of these requirements",
      ]
    `);
  });

  test('FW4019: delivers the CustomResourceDefinition of a manifest', () => {
    const issuer = addOn('a', { manifests: [customResource] });
    const b = addOn('b', { manifests: [customResourceDefinition] });
    expect(across(issuer, b)).toMatchInlineSnapshot(`
      [
        "info FW4019: add-on "a" delivers Issuer open-cluster-management-agent-addon/i to 4 clusters, and add-on "b" delivers the CustomResourceDefinition of the kind, but no requirement says so
      add the annotation fleetwright.dev/requires: b, or \`requires\` in TypeScript",
      ]
    `);
    expect(across(addOn('a', { manifests: [customResource], requires: 'b' }), b)).toEqual([]);
    expect(across([...issuer, ...addOn('own', { manifests: [customResourceDefinition] })], b)).toEqual([]);
  });
});

test('requirements within an app are left to its own rules', () => {
  const app = [...addOn('a', { requires: 'b' }), ...addOn('b', { placement: 'prod' })];
  expect(across(app, addOn('c'))).toEqual([]);
  expect(across([...addOn('a', { requires: 'b' }), ...addOn('b', { requires: 'a' })], addOn('c'))).toEqual(
    [],
  );
});

describe('an app that is compared with others', () => {
  const [a, b, c] = [
    addOn('a', { requires: 'b' }),
    addOn('b', { requires: 'c', placement: 'prod' }),
    addOn('c'),
  ];

  test('has its own findings only', () => {
    const { findings } = comparedApps([inputOf(a)], [inputOf(b), inputOf(addOn('d', { requires: 'b' }))]);
    expect(textsOf(findings)).toEqual([
      expect.stringContaining('1 cluster gets add-on "a" without "b", which it requires ("c4")'),
    ]);
  });

  test('is in a cycle with others', () => {
    const back = addOn('c', { requires: 'a' });
    const inPlace = addOn('b', { requires: 'c' });
    expect(textsOf(comparedApps([inputOf(a)], [inputOf(inPlace), inputOf(back)]).findings)).toEqual([
      expect.stringContaining('FW4016'),
    ]);
    expect(
      comparedApps([inputOf(addOn('d'))], [inputOf(a), inputOf(inPlace), inputOf(back)]).findings,
    ).toEqual([]);
  });

  test('names what it requires of others, and what these require', () => {
    expect(requiredOfOthers([inputOf(a)])).toEqual(['b']);
    expect(requiredOfOthers([inputOf(a), inputOf(b)])).toEqual(['c']);
    expect(requiredOfOthers([inputOf(a), inputOf(b), inputOf(c)])).toEqual([]);
  });
});
