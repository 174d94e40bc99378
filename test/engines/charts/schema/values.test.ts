import { expect, test } from 'vitest';
import { loadChart, renderChart, type ChartFault } from '../../../../src/engines/charts/index.ts';
import {
  Integer,
  toValue,
  TypedList,
  type Value,
  type ValueMap,
} from '../../../../src/engines/gotemplate/index.ts';
import { readSchema } from '../../../../src/engines/charts/schema/read-schema.ts';
import { describedMismatches, pointerOf } from '../../../../src/engines/charts/schema/mismatch.ts';
import { SchemaWork } from '../../../../src/engines/charts/schema/schema-work.ts';
import { mismatchOf } from '../../../../src/engines/charts/schema/validate.ts';
import { chartFiles } from '../chart-files.ts';

function problemsOf(schema: string, values: ValueMap): string[] {
  const work = new SchemaWork();
  const mismatch = mismatchOf(readSchema(schema, work), values, { work });
  return describedMismatches(mismatch, work).map(({ place, message }) => `${pointerOf(place)}: ${message}`);
}

function one(schema: string, value: Value): string[] {
  return problemsOf(`{"properties":{"a":${schema}}}`, new Map([['a', value]]));
}

test('an integer of Go is a number with all of its digits', () => {
  const large = new Integer(9_007_199_254_740_993n, 'int64');
  expect(one('{"type":"integer","const":9007199254740993}', large)).toEqual([]);
  expect(one('{"const":9007199254740992}', large)).toEqual(['/a: value must be 9007199254740992']);
  expect(one('{"maximum":9007199254740992.5}', large)).toEqual([
    '/a: maximum: got 9.007199254740992×10¹⁵, want 9.007199254740992×10¹⁵',
  ]);
  expect(one('{"multipleOf":3,"minimum":9007199254740993}', large)).toEqual([]);
  expect(one('{"uniqueItems":true}', [large, 9_007_199_254_740_992])).toEqual([]);
});

test('a value of Go that JSON does not have matches no schema with keywords', () => {
  expect(one('{"title":"a"}', new TypedList('[]string', ['x']))).toEqual(['/a: invalid jsonType []string']);
  expect(one('{}', new TypedList('[]string', ['x']))).toEqual([]);
});

test('a name or an item has its place in all values', () => {
  const schema = '{"properties":{"a":{"propertyNames":{"maxLength":1}}}}';
  expect(problemsOf(schema, toValue({ a: { long: 1 } }) as ValueMap)).toEqual([
    "/a: invalid propertyName 'long'",
    '/a: maxLength: got 4, want 1',
  ]);
});

test('a schema with many problems names five of them', () => {
  const names = Array.from({ length: 9 }, (_, index) => `"k${index}":{"type":"x"}`);
  expect(() => readSchema(`{"properties":{${names.join(',')}}}`, new SchemaWork())).toThrow(
    /, and \d+ more$/,
  );
});

test('a schema that is not valid is read once for many clusters', () => {
  const names = Array.from({ length: 3000 }, (_, index) => `"k${index}":{"type":"string"}`);
  const { chart } = loadChart(
    chartFiles({
      'Chart.yaml': 'apiVersion: v2\nname: agent\nversion: 1.0.0\n',
      'values.schema.json': `{"type":"text","properties":{${names.join(',')}}}`,
    }),
  );
  if (chart === undefined) throw new Error('the chart is not loaded');
  const render = (name: string): readonly ChartFault[] =>
    renderChart(chart, {
      values: {},
      release: { name, namespace: 'agents' },
      capabilities: { kubeVersion: { version: 'v1.34.2' } },
    }).faults;
  const start = process.cpuUsage();
  const first = render('a');
  const firstCost = process.cpuUsage(start).user;
  const rest = process.cpuUsage();
  const others = Array.from({ length: 30 }, (_, index) => render(`b${index}`));
  expect(process.cpuUsage(rest).user).toBeLessThan(firstCost);
  expect(first.map(({ code }) => code)).toEqual(['FW6026']);
  expect(others.filter((faults) => JSON.stringify(faults) !== JSON.stringify(first))).toEqual([]);
});
