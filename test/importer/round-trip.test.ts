import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ImportedApp } from '../../src/importer/import-objects.ts';
import { formatted, lintFaults, typeFaults } from './checked.ts';
import { emittedFrom, fleetOf, importText, synthesized, writeApp } from './imported.ts';

const root = path.resolve(import.meta.dirname, '../..');

interface Case {
  readonly name: string;
  readonly text: string;
  readonly app: ImportedApp;
  /** The kinds of the objects that their constructs could not say. */
  readonly plain: readonly string[];
}

const cases: Case[] = [];
let folder = '';

beforeAll(async () => {
  await mkdir(path.join(root, 'scratch'), { recursive: true });
  // Where what is imported is found as in a user's repository; not in build/, which other tests pack meanwhile.
  folder = await mkdtemp(path.join(root, 'scratch/import-'));
  for (const kind of ['precedence', 'placement', 'template', 'rollout']) {
    const recorded = path.join(root, 'test/conformance', kind);
    for (const name of (await readdir(recorded)).sort()) {
      const text = await readFile(path.join(recorded, name, 'input.yaml'), 'utf8');
      const { app, diagnostics } = importText(text);
      if (app === undefined) throw new Error(`${name} is not imported`);
      await writeApp(path.join(folder, name), app);
      const plain = diagnostics.flatMap(({ code, object }) =>
        code === 'FW9103' ? [object?.kind ?? ''] : [],
      );
      cases.push({ name, text, app, plain });
    }
  }
}, 120_000);

afterAll(() => rm(folder, { recursive: true }));

describe('every recorded case', () => {
  test('is the same after import and synth', async () => {
    expect(cases.length).toBeGreaterThan(190);
    for (const { name, text, app } of cases) {
      const emitted = await synthesized(path.join(folder, name), app);
      expect({ name, ...Object.fromEntries(emitted) }).toStrictEqual({
        name,
        ...Object.fromEntries(emittedFrom(text)),
      });
    }
  });

  test('keeps the fleet', () => {
    for (const { name, text, app } of cases) {
      const fleet = Object.fromEntries(fleetOf(app.files.get('fleet.yaml')));
      expect({ name, ...fleet }).toStrictEqual({ name, ...Object.fromEntries(fleetOf(text)) });
    }
  });

  test('needs no YAML beside the constructs, and no ApiObject in place of one', () => {
    expect(cases.filter(({ app }) => app.asYaml > 0).map(({ name }) => name)).toEqual([]);
    expect(cases.flatMap(({ name, plain }) => plain.map((kind) => `${name} ${kind}`))).toEqual([]);
  });

  test('is formatted as prettier formats it', async () => {
    for (const { app } of cases) expect(app.files).toStrictEqual(await formatted(app.files));
  });

  test('passes the type check and the lint of this repository', async () => {
    expect(await typeFaults(folder)).toBe('');
    expect(await lintFaults(folder)).toBe('');
  }, 120_000);
});
