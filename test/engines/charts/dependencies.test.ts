import { expect, test } from 'vitest';
import { loadChart, renderChart } from '../../../src/engines/charts/index.ts';
import { chartFiles } from './chart-files.ts';

/*
 * What is expected follows from ProcessDependenciesWithMerge and CoalesceValues of helm.sh/helm/v3/pkg/chartutil, in the order in
 * which `helm install` calls them.
 */

const header = (name: string): string => `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`;
const config = (name: string, ...fields: readonly string[]): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata:\n${fields.map((field, at) => `  f${at}: {{ ${field} | toJson | quote }}\n`).join('')}`;

/** Renders a chart by Helm's rules, and returns the fields of each of its ConfigMaps by name. */
function rendered(
  texts: Readonly<Record<string, string>>,
  values: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, readonly unknown[]>> {
  const { chart, faults } = loadChart(chartFiles(texts), { rules: 'helm' });
  if (chart === undefined) throw new Error(JSON.stringify(faults));
  const { manifests, faults: found } = renderChart(chart, {
    values,
    release: { name: 'agent', namespace: 'agents' },
    capabilities: { kubeVersion: { version: 'v1.31.2' } },
  });
  expect(found.filter(({ code }) => code !== 'FW6034')).toEqual([]);
  return Object.fromEntries(
    manifests.map(({ object }) => {
      const { metadata, data } = object as {
        metadata: { name: string };
        data: Readonly<Record<string, string>>;
      };
      return [metadata.name, Object.values(data).map((text): unknown => JSON.parse(text))];
    }),
  );
}

const withDependency = (dependency: string): string =>
  `${header('app')}dependencies:\n  - { name: db, version: 1.x, repository: ''${dependency} }\n`;

test('null in the values of a chart deletes the default of a dependency', () => {
  const texts = {
    'Chart.yaml': withDependency(''),
    'values.yaml': 'db: { key: null, inner: { a: null } }\n',
    'charts/db/Chart.yaml': header('db'),
    'charts/db/values.yaml': 'key: default\nother: 1\ninner: { a: 1, b: 2 }\n',
    'charts/db/templates/a.yaml': config('db', 'hasKey .Values "key"', '.Values.other', '.Values.inner'),
  };
  expect(rendered(texts)).toEqual({ db: [false, 1, { b: 2 }] });
  // The values of the user win over those of the chart.
  expect(rendered(texts, { db: { key: 'user', other: null } })).toEqual({ db: [true, null, { b: 2 }] });
});

test('null in the values of the user deletes the default of a dependency', () => {
  const texts = {
    'Chart.yaml': withDependency(', alias: store'),
    'charts/db/Chart.yaml': header('db'),
    'charts/db/values.yaml': 'key: default\nother: 1\n',
    'charts/db/templates/a.yaml': config('db', 'hasKey .Values "key"', '.Values.other'),
  };
  expect(rendered(texts, { store: { key: null } })).toEqual({ db: [false, 1] });
});

test('null in the values of a chart with dependencies stays in its own values', () => {
  const texts = {
    'Chart.yaml': withDependency(''),
    'values.yaml': 'own: null\n',
    'templates/a.yaml': config('app', 'hasKey .Values "own"', '.Values.own'),
    'charts/db/Chart.yaml': header('db'),
  };
  expect(rendered(texts)).toEqual({ app: [true, null] });
});

test('imported values are weaker than those of the chart, also than null', () => {
  const texts = {
    'Chart.yaml': withDependency(', import-values: [shared]'),
    'values.yaml': 'x: 5\nkept: null\ntable: { a: 1 }\n',
    'templates/a.yaml': config('app', '.Values.x', '.Values.kept', '.Values.z', '.Values.table'),
    'charts/db/Chart.yaml': header('db'),
    'charts/db/values.yaml': 'exports: { shared: { x: 1, kept: 2, z: 3, table: { a: 9, b: 2 } } }\n',
  };
  expect(rendered(texts)).toEqual({ app: [5, null, 3, { a: 1, b: 2 }] });
  expect(rendered(texts, { x: 7, table: { b: 8 } })).toEqual({ app: [7, null, 3, { a: 1, b: 8 }] });
});

test('values are imported from and to paths, and the first import wins', () => {
  const texts = {
    'Chart.yaml': withDependency(
      ', import-values: [{ child: inner, parent: mine.deep }, { child: other, parent: mine.deep }, missing]',
    ),
    'templates/a.yaml': config('app', '.Values.mine'),
    'charts/db/Chart.yaml': header('db'),
    'charts/db/values.yaml': 'inner: { a: 1 }\nother: { a: 2, b: 3 }\n',
  };
  expect(rendered(texts)).toEqual({ app: [{ deep: { a: 1, b: 3 } }] });
});

test('values are imported through several charts', () => {
  const texts = {
    'Chart.yaml': withDependency(', import-values: [up]'),
    'templates/a.yaml': config('app', '.Values.size'),
    'charts/db/Chart.yaml': `${header('db')}dependencies: [{ name: disk, version: 1.x, repository: '', import-values: [{ child: data, parent: exports.up }] }]\n`,
    'charts/db/charts/disk/Chart.yaml': header('disk'),
    'charts/db/charts/disk/values.yaml': 'data: { size: 10 }\n',
  };
  expect(rendered(texts)).toEqual({ app: [10] });
});

test('a condition is a path in the values of its chart, and the first that is a boolean decides before the tags', () => {
  const texts = {
    'Chart.yaml': withDependency(", condition: 'missing.enabled,db.enabled,db.other', tags: [storage]"),
    'values.yaml': 'tags: { storage: false }\ndb: { enabled: true, other: false }\n',
    'charts/db/Chart.yaml': `${header('db')}dependencies: [{ name: disk, version: 1.x, repository: '', condition: disk.enabled }]\n`,
    'charts/db/values.yaml': 'disk: { enabled: false }\n',
    'charts/db/templates/a.yaml': config('db', '1'),
    'charts/db/charts/disk/Chart.yaml': header('disk'),
    'charts/db/charts/disk/templates/a.yaml': config('disk', '2'),
  };
  expect(rendered(texts)).toEqual({ db: [1] });
  expect(rendered(texts, { db: { disk: { enabled: true } } })).toEqual({ db: [1], disk: [2] });
  // The path of the nested condition begins at the chart of the condition, not at the root.
  expect(rendered(texts, { disk: { enabled: true } })).toEqual({ db: [1] });
  expect(rendered(texts, { db: { enabled: false } })).toEqual({});
  // A condition that is no boolean does not count.
  expect(rendered(texts, { db: { enabled: 'yes' } })).toEqual({});
  expect(rendered(texts, { db: { enabled: null, other: null } })).toEqual({});
  expect(rendered(texts, { tags: { storage: true }, db: { enabled: null, other: null } })).toEqual({
    db: [1],
  });
});

test('global values go down, and those of the chart above win', () => {
  const texts = {
    'Chart.yaml': withDependency(''),
    'values.yaml': 'global: { a: 1, table: { x: 1 } }\n',
    'charts/db/Chart.yaml': header('db'),
    'charts/db/values.yaml': 'global: { a: 2, b: 3, table: { x: 2, w: 3 } }\n',
    'charts/db/templates/a.yaml': config('db', '.Values.global'),
  };
  expect(rendered(texts)).toEqual({ db: [{ a: 1, b: 3, table: { x: 1, w: 3 } }] });
});

test('objects of one kind are in the order of the names of their charts, which are aliases', () => {
  const texts = {
    'Chart.yaml': `${header('app')}dependencies:
  - { name: db, version: 1.x, repository: '', alias: second }
  - { name: db, version: 1.x, repository: '', alias: first }
`,
    'charts/db/Chart.yaml': header('db'),
    'charts/db/templates/a.yaml': config('{{ .Chart.Name }}', '.Chart.Name'),
    'charts/extra/Chart.yaml': header('extra'),
    'charts/extra/templates/a.yaml': config('extra', '.Chart.Name'),
  };
  expect(Object.keys(rendered(texts))).toEqual(['extra', 'first', 'second']);
});
