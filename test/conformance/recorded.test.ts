import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { hubObjects } from '../../src/compiler/hub-objects.ts';
import { hubVersion } from '../../src/ocm/hub-version.ts';
import { resolveText } from '../resolve-text.ts';
import { project } from './projection.ts';

// Answers of a real OCM 1.3.1 hub: each case was applied, the hub left until it was still, and what it held recorded.
// The recordings were made in August 2026; scores in them expire in the past or in a far future.
describe.each(['precedence', 'placement', 'template'])('%s', (family) => {
  const folder = path.join(import.meta.dirname, family);
  const cases = readdirSync(folder).filter((name) => existsSync(path.join(folder, name, 'hub.json')));

  test('has its cases', () => {
    expect(cases.length).toBeGreaterThanOrEqual(40);
  });

  test.each(cases)('%s: the prediction matches the hub', (name) => {
    const read = (file: string): string => readFileSync(path.join(folder, name, file), 'utf8');
    const { resolution } = resolveText(read('input.yaml'), { now: Date.parse('2026-08-15T12:00:00Z') });
    expect(project(hubObjects(resolution, { hub: hubVersion('1.3'), addOnApiVersion: 'v1alpha1' }))).toEqual(JSON.parse(read('hub.json')));
  });
});
