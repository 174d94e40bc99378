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
  });
});

describe('another version of a file', () => {
  const three = (middle: string): string => [placement('a'), middle, placement('c')].join('---\n');

  test('has the objects that did not change: the same text at the same line', () => {
    const known = emptySharedContent();
    const before = load([app(three(placement('b')))], known).value;
    const after = load([app(three(placement('bb')))], known).value;
    expect(after.map((loaded, index) => loaded === before[index])).toEqual([true, false, true]);
    expect(after.map(({ origin }) => origin.locate(['metadata', 'name']))).toEqual(
      [4, 10, 16].map((line) => ({ file: 'app.yaml', line, column: 3 })),
    );
  });

  test('has other objects where an object moved to another line', () => {
    const known = emptySharedContent();
    const before = load([app(three(placement('b')))], known).value;
    const after = load([app(three(`# comment\n${placement('b')}`))], known).value;
    expect(after.map((loaded, index) => loaded === before[index])).toEqual([true, false, false]);
    expect(after.map(({ object }, index) => object === before[index]?.object)).toEqual([true, false, true]);
    expect(after.map(({ origin }) => origin.locate(['metadata', 'name']))).toEqual(
      [4, 11, 17].map((line) => ({ file: 'app.yaml', line, column: 3 })),
    );
  });

  test('is that of before if its text is that of before', () => {
    const known = emptySharedContent();
    const [first, second] = [three(placement('b')), three(placement('bb'))];
    const before = load([app(first)], known).value;
    load([app(second)], known);
    expect(load([app(first)], known).value).toStrictEqual(before);
    expect(load([app(first)], known).value.map((loaded, index) => loaded === before[index])).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('has the faults of its own text, at their lines', () => {
    const known = emptySharedContent();
    load([app(three(placement('b')))], known);
    const { diagnostics } = load([app(three('- a list\n'))], known);
    expect(diagnostics).toMatchObject([
      { code: 'FW1010', location: { file: 'app.yaml', line: 7, column: 1 } },
    ]);
  });

  test('has the items of a list in JSON that did not change', () => {
    const known = emptySharedContent();
    const before = load([fleet(list(cluster('a', 'dev'), cluster('b', 'dev')))], known).value;
    const after = load([fleet(list(cluster('a', 'dev'), cluster('b', 'prod')))], known).value;
    expect(after.map((loaded, index) => loaded === before[index])).toEqual([true, false]);
  });
});
