import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import {
  ArgoCdApplication,
  ArgoCdApplicationSet,
  ArgoCdAppProject,
  ArgoCdGenerator,
} from '../../constructs/index.ts';
import { folderWith, runIn } from '../cli/terminal.ts';
import { objectsOf } from '../constructs/in-chart.ts';
import { parseObjects } from './emitted-objects.ts';

const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const texts = { type: 'array', items: text };

function fields(properties: object, required: readonly string[] = []): object {
  return { type: 'object', properties, required, additionalProperties: false };
}

function list(properties: object, required: readonly string[] = []): object {
  return { type: 'array', minItems: 1, items: fields(properties, required) };
}

const place = { server: text, name: text, namespace: text };
const kind = { group: { type: 'string' }, kind: text };
const applicationSpec = fields(
  {
    project: text,
    source: fields({ repoURL: text, targetRevision: text, path: text }, ['repoURL', 'path']),
    destination: fields(place),
    syncPolicy: fields({
      automated: fields({ prune: flag, selfHeal: flag }),
      retry: fields({
        limit: { type: 'integer' },
        refresh: flag,
        backoff: fields({ duration: text, factor: { type: 'integer' }, maxDuration: text }),
      }),
      syncOptions: texts,
    }),
    ignoreDifferences: list(
      {
        ...kind,
        name: text,
        namespace: text,
        jsonPointers: texts,
        jqPathExpressions: texts,
        managedFieldsManagers: texts,
      },
      ['kind'],
    ),
  },
  ['project', 'destination'],
);

/** The fields that the constructs and init write, in our own words: Argo CD knows more. */
const specs = {
  application: applicationSpec,
  appproject: fields({
    description: text,
    sourceRepos: texts,
    destinations: list(place),
    clusterResourceWhitelist: list(kind, ['group', 'kind']),
    namespaceResourceWhitelist: list(kind, ['group', 'kind']),
  }),
  applicationset: fields(
    {
      goTemplate: flag,
      goTemplateOptions: texts,
      generators: list({
        git: fields({ repoURL: text, revision: text, directories: list({ path: text }, ['path']) }),
        list: fields({ elements: { type: 'array', items: { type: 'object' } } }),
      }),
      syncPolicy: fields({ preserveResourcesOnDeletion: flag }),
      template: fields({ metadata: fields({ name: text, finalizers: texts }), spec: applicationSpec }, [
        'metadata',
        'spec',
      ]),
    },
    ['generators', 'template'],
  ),
};

let schemas: string;
beforeAll(() => {
  schemas = mkdtempSync(path.join(tmpdir(), 'fleetwright-schemas-'));
  for (const [name, spec] of Object.entries(specs)) {
    const object = { apiVersion: text, kind: text, metadata: { type: 'object' }, spec };
    const $schema = 'http://json-schema.org/draft-07/schema#';
    const schema = { $schema, ...fields(object, ['metadata', 'spec']) };
    writeFileSync(path.join(schemas, `${name}.json`), JSON.stringify(schema));
  }
});
afterAll(() => {
  rmSync(schemas, { recursive: true });
});

/** What kubeconform counts of these objects. */
function counted(objects: readonly object[]): unknown {
  const location = path.join(schemas, '{{.ResourceKind}}.json');
  const options = ['-strict', '-summary', '-output', 'json', '-schema-location', location];
  const input = objects.map((object) => JSON.stringify(object)).join('\n---\n');
  const program = path.join(inject('tools'), 'kubeconform');
  const { stdout } = spawnSync(program, options, { input, encoding: 'utf8' });
  return (JSON.parse(stdout) as { readonly summary: unknown }).summary;
}

const repoUrl = 'https://git.example.com/platform/add-ons.git';

test('kubeconform finds the objects of the constructs valid, and a misspelt field invalid', () => {
  const objects = objectsOf((chart) => {
    const ignoreDifferences = [{ kind: 'Placement', jsonPointers: ['/spec'] }];
    const template = { repoUrl, path: 'dist/hub', syncOptions: ['Replace=true'], ignoreDifferences };
    new ArgoCdApplication(chart, 'hub', template);
    new ArgoCdAppProject(chart, 'add-ons', { sourceRepos: [repoUrl], description: 'Add-ons' });
    new ArgoCdApplicationSet(chart, 'all', {
      generators: [
        ArgoCdGenerator.directories({ repoUrl, paths: ['dist/*'] }),
        ArgoCdGenerator.list([{ a: 'b' }]),
      ],
      applicationName: '{{.path.basename}}',
      template,
      preserveResourcesOnDeletion: true,
    });
  });
  expect(counted(objects)).toEqual({ valid: 3, invalid: 0, errors: 0, skipped: 0 });
  const misspelt = objects.map((object) => ({
    ...object,
    spec: { ...(object['spec'] as object), proyect: '' },
  }));
  expect(counted(misspelt)).toEqual({ valid: 0, invalid: 3, errors: 0, skipped: 0 });
});

test('kubeconform finds the ApplicationSet of init valid', async () => {
  const folder = await folderWith({});
  expect(await runIn(folder, ['init', '--gitops', 'argocd', '--repo-url', repoUrl])).toMatchObject({
    code: 0,
  });
  const objects = parseObjects(readFileSync(path.join(folder, 'gitops/apps.yaml'), 'utf8'));
  expect(counted(objects)).toEqual({ valid: 1, invalid: 0, errors: 0, skipped: 0 });
});
