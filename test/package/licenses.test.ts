import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { bundledPackages } from './bundled-packages.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(path.join(root, name), 'utf8');

/** Licenses that ask for nothing but notices. Ask the maintainers before you add one. */
const allowed = new Set([
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
]);

/** Whether all licenses of an SPDX expression are allowed, also those that it offers as alternatives. */
function isAllowed(expression: string): boolean {
  return expression
    .replaceAll(/[()]/g, ' ')
    .trim()
    .split(/\s+(?:AND|OR)\s+/)
    .every((license) => allowed.has(license.trim()));
}

const bundled = bundledPackages(root);

describe('the licenses of the published files', () => {
  test('are allowed for each package that is installed at run time', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      readonly packages: Readonly<Record<string, { readonly license?: string; readonly dev?: boolean }>>;
    };
    const installed = Object.entries(packages).filter(([, { dev }]) => dev !== true);
    expect(installed.length).toBeGreaterThan(5);
    // What only the bundle uses need not be installed.
    expect(installed.length).toBeLessThan(20);
    expect(installed.filter(([, { license }]) => !isAllowed(license ?? 'none'))).toEqual([]);
    expect(['GPL-3.0', 'MIT OR GPL-3.0', '(MIT AND SSPL-1.0)', 'UNLICENSED', ''].filter(isAllowed)).toEqual(
      [],
    );
  });

  test('are allowed for each package in the bundles, and its license text or notice comes with them', () => {
    expect(bundled.map(({ name }) => name)).toEqual(expect.arrayContaining(['cdk8s', 'pino', 'yargs']));
    expect(bundled.filter(({ license }) => !isAllowed(license))).toEqual([]);
    const silent = bundled.filter(
      ({ text }) => !/copyright|license|permission/i.test(text) || text.length < 100,
    );
    expect(silent).toEqual([]);
  });

  test('come with the notices of packages that have some, and with those in their files if they have no license file', () => {
    const textOf = (wanted: string): string => bundled.find(({ name }) => name === wanted)?.text ?? '';
    expect(textOf('cdk8s')).toContain('Copyright Amazon.com, Inc. or its affiliates. All Rights Reserved.');
  });

  test('are those that NOTICE lists, with the same packages', () => {
    const [, list = ''] = read('NOTICE').split('Bundled packages\n');
    const listed = [...list.matchAll(/^ {2}(\S.*)\n((?: {4}.*\n)+)/gm)].flatMap(
      ([, license = '', names = '']) => names.split(',').map((name) => `${name.trim()}: ${license}`),
    );
    const expected = bundled.map(({ name, license }) => `${name}: ${license.replaceAll(/^\(|\)$/g, '')}`);
    expect(listed.sort()).toEqual([...new Set(expected)].sort());
  });
});
