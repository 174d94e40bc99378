import { describe, expect, test } from 'vitest';
import { admit } from '../../../src/compiler/admit/admit.ts';
import { emptySharedContent } from '../../../src/compiler/shared-content.ts';
import { loadConstructs } from '../../../src/compiler/load/constructs.ts';
import { load } from '../../../src/compiler/load/load.ts';

const cluster = (name: string, env: string): string =>
  JSON.stringify({
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: { name, labels: { env } },
    spec: { hubAcceptsClient: true },
  });
const list = (...items: string[]): string =>
  `{"apiVersion":"v1","kind":"List","items":[\n${items.join(',\n')}\n]}`;
const placement = (name: string): string =>
  `apiVersion: cluster.open-cluster-management.io/v1beta1\nkind: Placement\nmetadata:\n  name: ${name}\n  namespace: ns\n`;
const fleet = (text: string) => ({ file: 'fleet.json', text, source: 'fleet' }) as const;
const app = (text: string, file = 'app.yaml') => ({ file, text, source: 'app' }) as const;

describe('the common parts of two states', () => {
  test('is one object: documents of YAML, wherever they are now', () => {
    const known = emptySharedContent();
    const [before] = load([app(placement('a'))], known).value;
    const [added, after] = load([app(`${placement('b')}---\n${placement('a')}`, 'moved.yaml')], known).value;
    expect(after?.object).toBe(before?.object);
    expect(added?.object.metadata.name).toBe('b');
    expect(before?.origin.locate(['metadata', 'name'])).toStrictEqual({
      file: 'app.yaml',
      line: 4,
      column: 3,
    });
    expect(after?.origin.locate(['metadata', 'name'])).toStrictEqual({
      file: 'moved.yaml',
      line: 10,
      column: 3,
    });
  });

  test('is one object: the items of a list in JSON that did not change', () => {
    const known = emptySharedContent();
    const before = load([fleet(list(cluster('c1', 'dev'), cluster('c2', 'dev')))], known).value;
    const after = load(
      [fleet(list(cluster('c0', 'dev'), cluster('c1', 'prod'), cluster('c2', 'dev')))],
      known,
    ).value;
    expect(after.map(({ object }) => object.metadata.labels)).toStrictEqual([
      { env: 'dev' },
      { env: 'prod' },
      { env: 'dev' },
    ]);
    expect(after[2]?.object).toBe(before[1]?.object);
    expect(after[1]?.object).not.toBe(before[0]?.object);
    expect(after[2]?.origin.location).toStrictEqual({ file: 'fleet.json', line: 4, column: 1 });
  });

  test('is one object: constructs that render the same', () => {
    const known = emptySharedContent();
    const rendered = () => ({
      object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } },
      construct: 'app/settings',
    });
    const [before] = loadConstructs([rendered()], known).value;
    const [after] = loadConstructs([{ ...rendered(), construct: 'app/moved' }], known).value;
    expect(after?.object).toBe(before?.object);
    expect(after?.origin.location).toStrictEqual({ construct: 'app/moved' });
  });

  test('is not recognized by default', () => {
    const [before] = load([app(placement('a'))]).value;
    const [after] = load([app(placement('a'))]).value;
    expect(after?.object).not.toBe(before?.object);
    expect(after?.object).toStrictEqual(before?.object);
  });

  test('is reported in both states, each at its own location', () => {
    const known = emptySharedContent();
    const twice = 'apiVersion: v1\nkind: ConfigMap\nkind: ConfigMap\nmetadata: {name: settings}\n';
    const before = load([app(twice)], known).diagnostics;
    const after = load([app(`---\n${twice}`, 'moved.yaml')], known).diagnostics;
    expect([before, after].map(([first]) => [first?.code, first?.location])).toStrictEqual([
      ['FW1003', { file: 'app.yaml', line: 3, column: 1 }],
      ['FW1003', { file: 'moved.yaml', line: 4, column: 1 }],
    ]);
  });

  test('is admitted once, and refused in both states', () => {
    const known = emptySharedContent();
    const wrong = `${placement('a')}spec:\n  numberOfClusters: many\n`;
    const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n';
    const before = admit(load([app(wrong)], known).value, known);
    const after = admit(load([app(`${settings}---\n${wrong}`)], known).value, known);
    const message = 'numberOfClusters must be an integer, but is the string "many"';
    expect(before.diagnostics).toMatchObject([{ message, location: { line: 7, column: 3 } }]);
    expect(after.diagnostics).toMatchObject([{ message, location: { line: 11, column: 3 } }]);
    expect(after.value.others).toHaveLength(1);
    expect(known.admissions.size).toBe(2);
  });
});
