import { spawnSync } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { version } from '../../src/workspace/version.ts';
import { addOn, config, fleet, grouped, text } from '../compiler/rollout/scenes.ts';
import { linkDependencies } from '../linked-repository.ts';
import { folderWith, runIn } from '../cli/terminal.ts';

const groups = { canary: ['c1', 'c2'] };
const files = {
  'apps/agent/app.yaml': text(grouped(groups), addOn({ pl: { type: 'All' } }), config()),
  'apps/agent/fleet.yaml': text(...fleet(groups)),
  'apps/other/settings.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings, namespace: default }\n',
  'package-lock.json': '{}\n',
};

interface Described {
  readonly name: string;
  readonly digest: { readonly sha256: string };
}

interface Statement {
  readonly subject: readonly Described[];
  readonly predicate: {
    readonly buildDefinition: {
      readonly externalParameters: object;
      readonly resolvedDependencies: readonly Described[];
    };
  };
}

const file = 'out/dist.intoto.json';

async function statementOf(folder: string, ...options: readonly string[]): Promise<Statement> {
  const { code, err } = await runIn(folder, ['synth', '--provenance', file, ...options]);
  if (code !== 0) throw new Error(err);
  return JSON.parse(await readFile(path.join(folder, file), 'utf8')) as Statement;
}

function namesOf(described: readonly Described[]): string[] {
  return described.map(({ name }) => name);
}

/** The output of `sha256sum --check` about the described files. */
function sums(folder: string, described: readonly Described[]) {
  const input = described.map(({ name, digest }) => `${digest.sha256}  ${name}\n`).join('');
  const { status, stderr } = spawnSync('sha256sum', ['--check', '--strict', '--quiet'], {
    cwd: folder,
    input,
    encoding: 'utf8',
  });
  return { status, stderr };
}

/** The specifications of both as a schema, without what Fleetwright does not write. */
const descriptors = {
  type: 'array',
  items: {
    type: 'object',
    required: ['name', 'digest'],
    additionalProperties: false,
    properties: {
      name: { type: 'string', minLength: 1 },
      digest: {
        type: 'object',
        required: ['sha256'],
        additionalProperties: false,
        properties: { sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' } },
      },
    },
  },
};
const specification = {
  type: 'object',
  required: ['_type', 'subject', 'predicateType', 'predicate'],
  additionalProperties: false,
  properties: {
    _type: { const: 'https://in-toto.io/Statement/v1' },
    subject: { ...descriptors, minItems: 1 },
    predicateType: { const: 'https://slsa.dev/provenance/v1' },
    predicate: {
      type: 'object',
      required: ['buildDefinition', 'runDetails'],
      additionalProperties: false,
      properties: {
        buildDefinition: {
          type: 'object',
          required: ['buildType', 'externalParameters'],
          additionalProperties: false,
          properties: {
            buildType: { type: 'string', pattern: '^https://' },
            externalParameters: { type: 'object' },
            resolvedDependencies: descriptors,
          },
        },
        runDetails: {
          type: 'object',
          required: ['builder'],
          additionalProperties: false,
          properties: {
            builder: {
              type: 'object',
              required: ['id'],
              additionalProperties: false,
              properties: {
                id: { const: `pkg:npm/fleetwright@${version}` },
                version: { type: 'object', additionalProperties: { type: 'string' } },
              },
            },
          },
        },
      },
    },
  },
};

describe('the statement', () => {
  test('is one of in-toto with provenance of SLSA', async () => {
    const folder = await folderWith(files);
    const statement = await statementOf(folder);
    const validate = new Ajv2020().compile(specification);
    validate(statement);
    expect(validate.errors).toBe(null);
    expect(statement.predicate.buildDefinition.externalParameters).toEqual({
      apps: ['agent', 'other'],
      engine: 'argocd',
      hubVersion: '1.3',
      apiVersion: 'v1alpha1',
    });
  });

  test('has the digest of each file that synth wrote, and of each that it read', async () => {
    const folder = await folderWith(files);
    const { subject, predicate } = await statementOf(folder);
    const inputs = predicate.buildDefinition.resolvedDependencies;
    const written = await readdir(path.join(folder, 'dist'), { recursive: true, withFileTypes: true });
    const found = written
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));

    expect(namesOf(subject)).toEqual(found.sort());
    expect(namesOf(inputs)).toEqual(Object.keys(files).sort());
    expect(sums(folder, [...subject, ...inputs])).toEqual({ status: 0, stderr: '' });
  });

  test('is the same of the same, at any time and in any folder', async () => {
    const [one, two] = [await folderWith(files), await folderWith(files)];
    await statementOf(one);
    await statementOf(two);
    const first = await readFile(path.join(one, file), 'utf8');
    expect(await readFile(path.join(two, file), 'utf8')).toBe(first);
    await statementOf(one, '--check');
    expect(await readFile(path.join(one, file), 'utf8')).toBe(first);
    expect(first).not.toMatch(/\d{4}-\d\d-\d\d/);
    expect(first).not.toContain(one);
  });

  test.each(Object.keys(files))('is different if %s is', async (name) => {
    const folder = await folderWith(files);
    const before = await statementOf(folder);
    await writeFile(path.join(folder, name), `${await readFile(path.join(folder, name), 'utf8')}\n`);
    const after = await statementOf(folder);
    // a line more says nothing more: what is written stays the same
    expect(after.subject).toEqual(before.subject);
    expect(after).not.toEqual(before);
  });

  test('includes the time that was set, the fleet and the policies', async () => {
    const { 'apps/agent/fleet.yaml': snapshot, ...others } = files;
    const folder = await folderWith({
      ...others,
      'fleets/today.yaml': snapshot,
      'fleetwright.yaml': 'engine: none\n',
    });
    const { predicate } = await statementOf(folder, '--fleet', 'fleets', '--now', '2026-01-31', 'agent');
    const { externalParameters, resolvedDependencies } = predicate.buildDefinition;
    expect(externalParameters).toMatchObject({ apps: ['agent'], engine: 'none', now: '2026-01-31' });
    expect(namesOf(resolvedDependencies)).toEqual([
      'apps/agent/app.yaml',
      'fleets/today.yaml',
      'fleetwright.yaml',
      'package-lock.json',
    ]);
  });

  test('includes everything that an app imports', async () => {
    const folder = await folderWith({
      'apps/a/app.ts': `import { readFileSync } from 'node:fs';
import { App, Chart } from 'fleetwright';
import { add } from '../../lib/settings.js';
const app = new App();
add(new Chart(app, 'hub', { namespace: 'default' }), readFileSync(new URL('../../lib/text.txt', import.meta.url), 'utf8'));
export default app;
`,
      'lib/settings.ts': `import type { Chart } from 'fleetwright';
import { ApiObject } from 'fleetwright';
export function add(chart: Chart, text: string): void {
  new ApiObject(chart, 's', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 's' }, data: { text } });
}
`,
      'lib/text.txt': 'hello',
      'lib/unused.ts': '',
      'package.json': '{ "type": "module" }',
    });
    linkDependencies(folder);
    const { predicate } = await statementOf(folder);
    expect(namesOf(predicate.buildDefinition.resolvedDependencies)).toEqual([
      'apps/a/app.ts',
      'lib/settings.ts',
      'lib/text.txt',
      'package.json',
    ]);
  });
});

describe('no statement is written', () => {
  test('among the files that it describes', async () => {
    const folder = await folderWith(files);
    expect(await runIn(folder, ['synth', '--provenance', 'dist/statement.json'])).toEqual({
      code: 2,
      out: '',
      err: 'fleetwright: dist/statement.json would be one of the files that it describes\n  use a file outside dist: it changes with every input, and nothing in dist should\n',
    });
  });

  test('if dist differs from the output of the apps', async () => {
    const folder = await folderWith(files);
    await statementOf(folder);
    await rm(path.join(folder, file));
    await rm(path.join(folder, 'dist/agent/kustomization.yaml'));
    expect((await runIn(folder, ['synth', '--check', '--provenance', file])).code).toBe(1);
    expect(await readdir(path.join(folder, 'out'))).toEqual([]);
  });
});
