import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import {
  asJsonSchema,
  parametersSchemaPath,
  parametersSchemas,
} from '../../../src/compiler/parameters/parameters-schema.ts';
import { readParameters } from '../../../src/compiler/parameters/read.ts';
import { load } from '../../../src/compiler/load/load.ts';
import { textOf } from './layering-objects.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const ajv = new Ajv({ strictTypes: false, allowUnionTypes: true, strict: false });

test.each(Object.keys(parametersSchemas))('the file with the schema of %s is up to date', (kind) => {
  const file: unknown = JSON.parse(readFileSync(path.join(root, parametersSchemaPath(kind)), 'utf8'));
  expect(file).toEqual(asJsonSchema(kind, parametersSchemas[kind] ?? {}));
});

const valid = {
  apiVersion: 'fleetwright.dev/v1alpha1',
  kind: 'AddOnParameters',
  metadata: { name: 'logs', namespace: 'default' },
  spec: {
    parameters: { A: { type: 'integer', min: 0, default: 1 }, B: { type: 'string', variable: 'C' } },
    layers: [
      { where: { region: 'eu', env: ['a', 'b'] }, values: { A: 2 } },
      { where: { matchExpressions: [{ key: 'a', operator: 'Exists' }] }, sets: ['s'], values: {} },
      { cluster: 'c1', order: 1, values: { B: { $text: 'x' } } },
    ],
  },
};

function changed(change: (object: typeof valid & Record<string, unknown>) => void): object {
  const copy = structuredClone(valid);
  change(copy);
  return copy;
}

describe('an editor and the compiler agree', () => {
  test.each([
    ['valid', valid, true],
    ['an unknown field', changed(({ spec }) => Object.assign(spec, { layer: [] })), false],
    [
      'an unknown field of a layer',
      changed(({ spec }) => Object.assign(spec.layers[0] ?? {}, { label: {} })),
      false,
    ],
    ['an unknown type', changed(({ spec }) => Object.assign(spec.parameters.A, { type: 'int' })), false],
    [
      'a layer without values',
      changed(({ spec }) => Object.assign(spec, { layers: [{ cluster: 'c1' }] })),
      false,
    ],
    [
      'a fraction as order',
      changed(({ spec }) => Object.assign(spec.layers[2] ?? {}, { order: 1.5 })),
      false,
    ],
    ['no parameters', changed((object) => Object.assign(object, { spec: {} })), false],
    [
      'a number as a label',
      changed(({ spec }) => Object.assign(spec.layers[0]?.where ?? {}, { region: 1 })),
      false,
    ],
    [
      'an object as the value of a label',
      changed(({ spec }) =>
        Object.assign(spec.layers[0]?.where ?? {}, { labels: { matchLabels: { region: 'eu' } } }),
      ),
      false,
    ],
    [
      'an object as the value in matchLabels',
      changed(({ spec }) => Object.assign(spec.layers[1]?.where ?? {}, { matchLabels: { region: {} } })),
      false,
    ],
  ])('%s', (_, object, isValid) => {
    expect(
      ajv.compile(asJsonSchema('AddOnParameters', parametersSchemas['AddOnParameters'] ?? {}))(object),
    ).toBe(isValid);
    const { value } = load([{ file: 'a.yaml', text: textOf([object]), source: 'app' }]);
    expect(readParameters(value).diagnostics.map(({ code }) => code)).toEqual(isValid ? [] : ['FW4109']);
  });
});
