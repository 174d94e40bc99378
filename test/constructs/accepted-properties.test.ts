import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { acceptedProperties } from '../../constructs/accepted-properties.gen.ts';
import { generateAcceptedProperties } from '../../constructs/generate-accepted-properties.ts';
import * as constructs from '../../constructs/index.ts';
import { App, Chart, Construct } from '../../constructs/index.ts';

const root = new URL('../../', import.meta.url);

test('the table is generated from the current types', { timeout: 120_000 }, () => {
  for (const [file, content] of Object.entries(generateAcceptedProperties()))
    expect(readFileSync(new URL(file, root), 'utf8'), `run npm run types: ${file}`).toBe(content);
});

/** Classes that no app creates itself, or that take any property. */
const exempt = new Set(['Construct', 'OcmObject', 'NamespacedObject', 'FluxSource', 'ApiObject', 'Workload']);

const classes = Object.entries<unknown>(constructs).filter(
  (entry): entry is [string, new (...args: unknown[]) => unknown] => {
    const [name, value] = entry;
    return typeof value === 'function' && value.prototype instanceof Construct && !exempt.has(name);
  },
);

test.each(classes)('the constructor of %s refuses unknown properties', (name, create) => {
  const props = { noSuchProperty: 1 };
  const app = new App();
  const args = name === 'App' ? [props] : [new Chart(app, 'chart', { namespace: 'ocm' }), 'id', props];
  expect(() => new create(...args)).toThrow(`${name} takes no property noSuchProperty`);
});

test('every exported type of properties is in the table', () => {
  const index = readFileSync(new URL('constructs/index.ts', root), 'utf8');
  const types = [...index.matchAll(/\b(\w+(?:Props|Options|Predicate|Condition|Strategy))\b/g)]
    .map(([, name = '']) => name)
    .filter((name) => !(name in constructs));
  /** Parts of other types: their properties are in those. */
  const parts = new Set([
    'FluxSourceProps',
    'NumberProps',
    'TargetProps',
    'TextProps',
    'NamespacedObjectProps',
  ]);
  const other = new Set([
    'ObjectProps',
    'OperationNetworkProps',
    'RevisionProps',
    'SourceProps',
    'WorkSpecProps',
  ]);
  const missing = types.filter(
    (name) => !(name in acceptedProperties) && !parts.has(name) && !other.has(name),
  );
  expect(missing).toEqual([]);
});
