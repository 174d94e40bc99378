import { describe, expect, test } from 'vitest';
import {
  ApplicationGenerator,
  type Generation,
} from '../../../src/compiler/application-sets/generate-applications.ts';
import {
  matchesPath,
  matchesPathspec,
} from '../../../src/compiler/application-sets/generators/path-pattern.ts';
import type { RepositoryFiles } from '../../../src/compiler/model/repository-files.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';
import { applicationSet, decided, namesOf, placement, rings, setBinding } from './generated.ts';

const repoURL = 'https://git.example.com/team/apps.git';

const contents: Readonly<Record<string, string>> = {
  'README.md': '# apps',
  '.github/workflows/ci.yaml': 'on: push',
  'apps/cart/app.yaml': '{}',
  'apps/search/deep/app.yaml': '{}',
  'apps/.hidden/app.yaml': '{}',
  'clusters/c1.yaml': 'cluster: c1\nsize: 3\nbig: 1000000\nlabels: { env: prod }\nzones: [a, b]\n',
  'clusters/c2.json': '[{ "cluster": "c2" }, { "cluster": "c7" }]',
  'clusters/old/c3.yaml': 'cluster: c3\n',
  'clusters/Big_Name/empty.yaml': '',
  'broken/text.yaml': 'only text',
};

const repository: RepositoryFiles = {
  remotes: ['git@git.example.com:team/apps.git'],
  branches: ['main'],
  paths: Object.keys(contents),
  text: (path) => contents[path],
};

function generationOf(
  git: object,
  more: object = {},
  files: RepositoryFiles | undefined = repository,
): Generation {
  const set = applicationSet({
    generators: [{ git: { repoURL, revision: 'HEAD', ...git } }],
    template: templateOf('{{path.basename}}', 'c1'),
    ...more,
  });
  const text = [setBinding, placement('all', {}), placement('ring-1', { ring: '1' }), set].join('\n---\n');
  const { inventory, decisions } = resolveText(text, { fleet: fleetOf(rings) }).resolution;
  const { repository: _, ...elsewhere } = inventory.elsewhere;
  const generator = new ApplicationGenerator({
    inventory: { ...inventory, elsewhere: { ...elsewhere, ...(files && { repository: files }) } },
    decisions,
  });
  const [holder] = generator.sets();
  if (holder === undefined) throw new Error('there is no ApplicationSet');
  return generator.generate(holder);
}

const templateOf = (name: string, cluster: string, labels: object = {}): object => ({
  metadata: { name, labels },
  spec: { project: 'default', destination: { name: cluster } },
});

describe('folders', () => {
  const paths = (...directories: object[]): readonly string[] =>
    namesOf(
      generationOf(
        { directories },
        { goTemplate: true, template: templateOf('{{ join "-" .path.segments }}', 'c1') },
      ),
    ).map((name) => name.replace(/ on .*/, ''));

  test('match a pattern segment by segment, and are left out by another one', () => {
    expect(paths({ path: 'apps/*' })).toEqual(['apps-cart', 'apps-search']);
    expect(paths({ path: '*' })).toEqual(['apps', 'broken', 'clusters']);
    expect(paths({ path: 'apps/*' }, { path: 'apps/s*', exclude: true })).toEqual(['apps-cart']);
    expect(paths({ path: 'apps/s*', exclude: true }, { path: 'apps/*' })).toEqual(['apps-cart']);
    expect(paths({ path: 'apps/*/deep' })).toEqual(['apps-search-deep']);
  });

  test('are no folders whose names start with a dot', () => {
    expect(paths({ path: '*/.hidden' }, { path: '.github' }, { path: '.github/*' })).toEqual([]);
  });

  test('have their path, name and segments as parameters, also behind a prefix', () => {
    const labels = { a: '{{path}}', b: '{{path.basenameNormalized}}', c: '{{path[1]}}', d: '{{values.x}}' };
    const [flat] = generationOf(
      { directories: [{ path: 'clusters/B*' }], values: { x: '{{path.basename}}-x' } },
      { template: templateOf('{{path.basenameNormalized}}', 'c1', { ...labels, a: 'a' }) },
    ).applications;
    expect(flat?.object.metadata).toMatchObject({
      name: 'big-name',
      labels: { a: 'a', b: 'big-name', c: 'Big_Name', d: 'Big_Name-x' },
    });
    const [prefixed] = generationOf(
      {
        directories: [{ path: 'apps/cart' }],
        pathParamPrefix: 'app',
        values: { x: '{{.app.path.basename}}' },
      },
      {
        goTemplate: true,
        template: templateOf('{{.app.path.basename}}-{{index .app.path.segments 0}}-{{.values.x}}', 'c1'),
      },
    ).applications;
    expect(prefixed?.name).toBe('cart-apps-cart');
  });
});

describe('files', () => {
  test('have their content as texts without Go templates', () => {
    const labels = {
      env: '{{labels.env}}',
      zone: '{{zones.1}}',
      size: '{{size}}',
      file: '{{path.filename}}',
      folder: '{{path}}',
    };
    const [first] = generationOf(
      { files: [{ path: 'clusters/c1.yaml' }] },
      { template: templateOf('shop-{{cluster}}', '{{cluster}}', labels) },
    ).applications;
    expect(first).toMatchObject({ name: 'shop-c1', cluster: 'c1' });
    expect(first?.object.metadata['labels']).toEqual({
      env: 'prod',
      zone: 'b',
      size: '3',
      file: 'c1.yaml',
      folder: 'clusters',
    });
  });

  test('have numbers as Go prints them', () => {
    const template = templateOf('shop', 'c1', { big: '{{big}}' });
    expect(namesOf(generationOf({ files: [{ path: 'clusters/c1.yaml' }] }, { template }))).toEqual([
      'invalid shop: the API server rejects its name or labels',
    ]);
  });

  test('can be lists, and keep their values with Go templates', () => {
    const template = templateOf('{{.cluster}}-{{.path.filenameNormalized}}', '{{.cluster}}');
    expect(
      namesOf(generationOf({ files: [{ path: '**/c*.json' }] }, { goTemplate: true, template })),
    ).toEqual(['c2-c2.json on c2', 'c7-c2.json on c7']);
  });

  test('match as in git ls-files: a star matches slashes, and a folder all that is in it', () => {
    const template = templateOf('{{.path.filename}}', 'c1');
    const names = (...files: object[]): readonly string[] =>
      namesOf(generationOf({ files }, { goTemplate: true, template })).map((name) =>
        name.replace(/ on .*/, ''),
      );
    expect(names({ path: 'clusters/*.yaml' })).toEqual(['c1.yaml', 'c3.yaml', 'empty.yaml']);
    expect(names({ path: 'apps' })).toEqual(['invalid app.yaml: several Applications have the name']);
    expect(names({ path: 'clusters' }, { path: 'clusters/*/*', exclude: true }, { path: 'x' })).toEqual([
      'c1.yaml',
      'invalid c2.json: several Applications have the name',
    ]);
    expect(names({ path: ':(glob)clusters/*.yaml' })).toEqual([
      'unanswered: the pattern ":(glob)clusters/*.yaml" of the git generator',
    ]);
  });

  test('that are neither a map nor a list of maps are an error, which keeps all Applications', () => {
    expect(generationOf({ files: [{ path: 'broken/*' }] }).error).toBe(
      "unable to process file 'broken/text.yaml': unable to parse file: it is neither a map nor a list of maps",
    );
    expect(generationOf({}).error).toBe('ApplicationSet is empty');
  });

  test('combine with the decisions of a Placement in a matrix, whose parameters the pattern can use', () => {
    const matrix = {
      generators: [
        decided('ring-1'),
        { git: { repoURL, revision: 'main', files: [{ path: 'clusters/{{.name}}.yaml' }] } },
      ],
    };
    const generation = generationOf(
      {},
      {
        goTemplate: true,
        generators: [{ matrix }],
        template: templateOf('{{.name}}-{{.size}}', '{{.name}}'),
      },
    );
    expect(namesOf(generation)).toEqual(['c1-3 on c1']);
  });
});

test('other repositories and revisions are named as not evaluated', () => {
  const files = [{ path: '*.yaml' }];
  expect(namesOf(generationOf({ files, repoURL: 'https://git.example.com/other/apps' }))).toEqual([
    'unanswered: the git generator of another repository, https://git.example.com/other/apps,',
  ]);
  expect(namesOf(generationOf({ files, revision: 'v1' }))).toEqual([
    'unanswered: the git generator of revision v1',
  ]);
  expect(generationOf({ files, revision: 'refs/heads/main' }).unanswered).toBeUndefined();
  expect(namesOf(generationOf({ files }, {}, { ...repository, remotes: [] }))).toHaveLength(1);
  const unread = { ...repository, text: () => undefined };
  expect(namesOf(generationOf({ files: [{ path: 'clusters/c1.yaml' }] }, {}, unread))).toEqual([
    'unanswered: the file clusters/c1.yaml, which cannot be read,',
  ]);
});

test('a template without a project is an error, because Argo CD reads it before the repository', () => {
  const withoutProject = { metadata: { name: 'a' }, spec: { destination: { name: 'c1' } } };
  const generation = generationOf({ files: [{ path: '*.yaml' }] }, { template: withoutProject });
  expect(generation.error).toBe('error getting project: the template names none');
});

test('patterns have sets and escapes', () => {
  expect(matchesPath('[a-c]*/x?', 'bcd/xy')).toBe(true);
  expect(matchesPath('[^a-c]*', 'b')).toBe(false);
  expect(matchesPath('a*b', 'a/b')).toBe(false);
  expect(matchesPath(String.raw`\*`, '*')).toBe(true);
  expect(matchesPath('[a', 'a')).toBe(false);
  expect(matchesPathspec('[!a]/*', 'b/c/d')).toBe(true);
  expect(matchesPathspec('a?b', 'a/b')).toBe(true);
  expect(matchesPathspec('./a/', 'a/b')).toBe(true);
  expect(matchesPathspec('a/', 'a')).toBe(false);
  expect(matchesPathspec(`${'*a'.repeat(40)}b`, 'a'.repeat(5000))).toBe(false);
});
