import { expect, test } from 'vitest';
import type { Diagnostic } from '../../src/compiler/model/diagnostic.ts';
import { findingIdentity, newFindings } from '../../src/compiler/model/finding-identity.ts';

const object = { apiVersion: 'a/v1', kind: 'Placement', namespace: 'default', name: 'x' };
const finding = (message: string, more: Partial<Diagnostic> = {}): Diagnostic => ({
  code: 'FW7116',
  severity: 'warning',
  message,
  object,
  path: 'spec.predicates',
  ...more,
});

test('a finding whose text changed is the same finding', () => {
  expect(newFindings([finding('on 8 clusters')], [finding('on 9 clusters')])).toEqual([]);
  const moved = finding('on 9 clusters', { location: { file: 'a.yaml', line: 7, column: 1 } });
  expect(newFindings([finding('on 8 clusters')], [moved])).toEqual([]);
});

test('another code, object, field or policy is another finding', () => {
  const others = [
    finding('m', { code: 'FW7117' }),
    finding('m', { object: { ...object, name: 'y' } }),
    finding('m', { path: 'spec.tolerations' }),
    finding('m', { policy: 'p' }),
  ];
  expect(newFindings([finding('m')], others)).toEqual(others);
  expect(new Set(others.map(findingIdentity)).size).toBe(4);
});

test('of findings with the same identity as many are new as there are more, those with another text first', () => {
  const before = [finding('a'), finding('b')];
  const after = [finding('a'), finding('c'), finding('b')];
  expect(newFindings(before, after)).toEqual([finding('c')]);
  expect(newFindings(before, [finding('c'), finding('d')])).toEqual([]);
});

test('a finding without an object is identified by its file', () => {
  const { object: _object, ...bare } = finding('m');
  const inFile = (file: string): Diagnostic => ({ ...bare, location: { file, line: 1, column: 1 } });
  expect(newFindings([inFile('a.yaml')], [inFile('a.yaml'), inFile('b.yaml')])).toEqual([inFile('b.yaml')]);
});

test('an error counts regardless of its author', () => {
  const error = finding('m', { severity: 'error' });
  expect(newFindings([error], [error])).toEqual([error]);
});
