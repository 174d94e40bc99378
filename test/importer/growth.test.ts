import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { literal, name, create, plain, type Statement } from '../../src/importer/code/expression.ts';
import { printModule } from '../../src/importer/code/print.ts';
import { importText } from './imported.ts';

/** Processor time in milliseconds: what else runs on the machine counts less than by the clock. */
function cost(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** How many times as much eight times the input costs: about 8 where the work is linear, 64 where it is quadratic. */
function growth(work: (count: number) => void, count: number): number {
  work(count);
  // The least of several: caches grow cold, and memory is collected, whenever other programs run.
  const least = (size: number): number => Math.min(...[1, 2, 3, 4].map(() => cost(() => work(size))));
  return least(8 * count) / least(count);
}

const limit = 24;

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

function statement(index: number): Statement {
  const props = plain({ text: 'word '.repeat(20), list: numbers(20), map: { a: { b: index } } }, undefined);
  return { name: `object${index}`, value: create('ApiObject', name('hub'), literal(`id${index}`), props) };
}

const template = (manifests: readonly object[]): string =>
  stringify({
    apiVersion: 'addon.open-cluster-management.io/v1alpha1',
    kind: 'AddOnTemplate',
    metadata: { name: 'agents' },
    spec: { addonName: 'agents', agentSpec: { workload: { manifests } } },
  });

const configMap = (index: number, data: object): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: `settings${index}`, namespace: 'agents' },
  data,
});

describe('eight times the input takes about eight times the work', () => {
  test('to print', () => {
    const print = (count: number): void => void printModule(numbers(count).map(statement));
    expect(growth(print, 200)).toBeLessThan(limit);
  });

  test('to import objects', () => {
    const placement = (index: number): string => `---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: placement${index}, namespace: team }
spec: { clusterSets: [retail], predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { cell: '${index}' } } } }] }
`;
    expect(growth((count) => importText(numbers(count).map(placement).join('')), 40)).toBeLessThan(limit);
  });

  test('to import a template of many manifests', () => {
    const texts = new Map(
      [40, 320].map((count) => [
        count,
        template(numbers(count).map((index) => configMap(index, { a: 'b' }))),
      ]),
    );
    expect(growth((count) => importText(texts.get(count) ?? ''), 40)).toBeLessThan(limit);
  });

  test('to import a template of one large manifest', () => {
    const data = (count: number): object =>
      Object.fromEntries(numbers(count).map((index) => [`key${index}`, `value ${index}`]));
    const texts = new Map([600, 4800].map((count) => [count, template([configMap(0, data(count))])]));
    expect(growth((count) => importText(texts.get(count) ?? ''), 600)).toBeLessThan(limit);
  });
});
