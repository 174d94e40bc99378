import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { rules } from '../../../src/compiler/check/check.ts';
import type { Rule } from '../../../src/compiler/check/rule.ts';

const folder = path.resolve(import.meta.dirname, '../../../src/compiler/check');

const files = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => readdirSync(path.join(folder, name)).map((file) => path.join(name, file)))
  .filter((file) => path.basename(file) !== 'index.ts');

function isRule(value: unknown): value is Rule {
  return typeof value === 'object' && value !== null && 'codes' in value && 'check' in value;
}

async function rulesOf(file: string): Promise<Rule[]> {
  const exported = (await import(path.join(folder, file))) as Record<string, unknown>;
  return Object.values(exported).filter(isRule);
}

test.each(files)('%s exports at most one rule, and its topic lists it', async (file) => {
  const exported = await rulesOf(file);
  expect(exported.length).toBeLessThanOrEqual(1);
  expect(exported.filter((rule) => !rules.includes(rule))).toEqual([]);
});

test('every rule runs once', () => {
  expect(new Set(rules).size).toBe(rules.length);
});

test('a code belongs to one rule', () => {
  const codes = rules.flatMap((rule) => rule.codes);
  const repeated = codes.filter((code, index) => codes.indexOf(code) < index);
  // Each rule that looks for another object reports that the inputs cannot resolve the reference.
  expect(repeated.filter((code) => code !== 'FW7026')).toEqual([]);
});
