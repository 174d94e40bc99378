import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as fleetwright from '../../constructs/index.ts';
import { collect } from '../../constructs/index.ts';
import type { App } from '../../constructs/index.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The contents of the fenced blocks of a language, in order. */
function blocks(markdown: string, language: string): string[] {
  return [...markdown.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, code = '']) => code,
  );
}

/** The examples that go on from each other, as one app. */
function program(examples: readonly string[]): string {
  const code = examples.join('\n');
  const names = Object.keys(fleetwright).filter((name) => new RegExp(`\\b${name}\\b`).test(code));
  return `
import * as kplus from 'cdk8s-plus-27';
import { ${[...new Set([...names, 'App', 'Chart'])].join(', ')} } from 'fleetwright';

const app = new App();
const chart = new Chart(app, 'guide', { namespace: 'open-cluster-management' });
${code}
export default app;
`;
}

let folder = '';
let yaml: string[] = [];

beforeAll(async () => {
  const guide = await readFile(`${root}docs/constructs.md`, 'utf8');
  const [start = '', ...examples] = blocks(guide, 'ts');
  yaml = blocks(guide, 'yaml');
  // Where what is imported is found as in a user's repository; not in build/, which other tests pack meanwhile.
  await mkdir(`${root}scratch`, { recursive: true });
  folder = await mkdtemp(`${root}scratch/guide-`);
  await writeFile(`${folder}/start.ts`, start);
  await writeFile(`${folder}/guide.ts`, program(examples));
  // cdk8s-plus does not compile with exactOptionalPropertyTypes.
  const compilerOptions = { exactOptionalPropertyTypes: false, noUnusedLocals: false };
  const tsconfig = { extends: '../../tsconfig.json', compilerOptions, include: ['*.ts'], exclude: [] };
  await writeFile(`${folder}/tsconfig.json`, JSON.stringify(tsconfig));
});

afterAll(() => rm(folder, { recursive: true }));

async function objectsOf(file: string): Promise<KubernetesObject[]> {
  const module = (await import(pathToFileURL(`${folder}/${file}`).href)) as { default: App };
  const { objects, errors } = collect(module.default);
  expect(errors).toEqual([]);
  return objects.map(({ object }) => object);
}

describe('the examples of docs/constructs.md', () => {
  test('compile', async () => {
    const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch(
      (error: { stdout: string }) => error,
    );

    expect(stdout).toBe('');
  });

  test('run, the first one by itself', async () => {
    expect((await objectsOf('start.ts')).map(({ kind }) => kind)).toEqual([
      'ManagedClusterSetBinding',
      'Placement',
      'ClusterManagementAddOn',
    ]);
  });

  test('return the objects of the examples', async () => {
    const objects = await objectsOf('guide.ts');
    const shown = yaml.map((text) => parse(text) as KubernetesObject);

    expect(shown.length).toBeGreaterThan(3);
    for (const expected of shown) {
      const { kind, metadata } = expected;
      expect(
        objects.find((object) => object.kind === kind && object.metadata.name === metadata.name),
      ).toEqual(expected);
    }
  });
});
