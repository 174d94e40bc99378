import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { app, clusters } from '../compiler/plan/states.ts';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn } from './terminal.ts';

interface ResourceList {
  readonly kind: string;
  readonly items?: readonly { readonly kind: string; readonly metadata: { readonly name: string } }[];
  readonly results?: readonly object[];
}

const indent = (text: string): string => text.trim().replaceAll('\n', '\n  ');

/** A list as kustomize and kpt send it: each object with the file that it came from. */
function listOf(text: string, config = ''): string {
  const items = text
    .split(/^---$/m)
    .filter((document) => document.trim() !== '')
    .map((document, index) => `- ${indent(annotated(document.trim(), index))}\n`);
  return `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n${config}items:\n${items.join('')}`;
}

function annotated(document: string, index: number): string {
  return document.replace(
    /metadata: \{(.*) \}/,
    `metadata: {$1, annotations: { internal.config.kubernetes.io/path: hub/app.yaml, internal.config.kubernetes.io/index: "${index}" } }`,
  );
}

const config = (fields: string): string =>
  `functionConfig: { apiVersion: fleetwright.dev/v1alpha1, kind: Fleetwright, metadata: { name: fw }, spec: ${fields} }\n`;

const run = async (
  input: string,
): Promise<{ code: number; list: ResourceList; err: string; out: string }> => {
  const cwd = await folderWith({ 'fleet.yaml': fleetOf(clusters) });
  const { code, out, err } = await runIn(cwd, ['machine', 'function'], input);
  return { code, out, err, list: parse(out) as ResourceList };
};

describe('the KRM function', () => {
  test('does not change the items or their comments if there are no findings', async () => {
    const input = listOf(
      app.replace('namespace: agents', 'namespace: default'),
      config('{ fleet: fleet.yaml }'),
    ).replace('kind: Placement', 'kind: Placement # here');
    const { code, out, err } = await run(input);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(input);
  });

  test.each([
    '{ kind: ConfigMap }',
    '{ apiVersion: v1, kind: ConfigMap, metadata: [] }',
    '{ apiVersion: v1, kind: ConfigMap, metadata: { name: 9223372036854775807 } }',
  ])('reports an item that lacks a required field of every object: %s', async (item) => {
    const { code, list } = await run(`kind: ResourceList\nitems: [${item}]\n`);
    expect(code).toBe(1);
    expect(list.results).toContainEqual(expect.objectContaining({ severity: 'error' }));
  });

  test('reports errors as results, with the item and its file, and fails', async () => {
    const { code, list, err } = await run(listOf(app.replace('type: Placements', 'type: Placement')));
    expect(code).toBe(1);
    expect(list.items).toHaveLength(6);
    expect(list.results).toEqual([
      {
        message: 'type must be "Manual" or "Placements", but is "Placement" (did you mean "Placements"?)',
        severity: 'error',
        resourceRef: {
          apiVersion: 'addon.open-cluster-management.io/v1alpha1',
          kind: 'ClusterManagementAddOn',
          name: 'hello',
        },
        field: { path: 'spec.installStrategy.type' },
        file: { path: 'hub/app.yaml', index: 0 },
        tags: { code: 'FW2009' },
      },
    ]);
    expect(err).toContain('error FW2009: type must be "Manual" or "Placements"');
  });

  test('checks against the fleet that the functionConfig names; without one it reports that', async () => {
    const broken = app
      .replace('{ matchLabels: { env: prod } }', '{ matchLabels: { env: prd } }')
      .replace('namespace: agents', 'namespace: default');
    expect((await run(listOf(broken))).list.results).toMatchObject([
      { severity: 'warning', tags: { code: 'FW9013' } },
    ]);
    const { code, list } = await run(listOf(broken, config('{ fleet: [fleet.yaml] }')));
    expect(code).toBe(0);
    expect(list.results).toMatchObject(
      ['FW7007', 'FW7010'].map((each) => ({
        severity: 'warning',
        file: { path: 'hub/app.yaml', index: 2 },
        tags: { code: each },
      })),
    );
  });

  test('replaces the items with the output of synth', async () => {
    const { code, list, out } = await run(listOf(app, config('{ mode: synth, fleet: fleet.yaml }')));
    expect(code).toBe(0);
    expect(list.items?.map(({ kind }) => kind)).toEqual([
      'Placement',
      'Placement',
      'AddOnDeploymentConfig',
      'AddOnDeploymentConfig',
      'AddOnTemplate',
      'ClusterManagementAddOn',
    ]);
    expect(out).toContain('argocd.argoproj.io/sync-wave: "-2"');
    // what the server defaults
    expect(out).toContain('scoreRateLimit');
  });

  test('adds the objects of an app', async () => {
    const cwd = await folderWith({ 'apps/hello/app.yaml': app, 'apps/hello/fleet.yaml': fleetOf(clusters) });
    const input = `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n${config('{ mode: synth, app: apps/hello, engine: none }')}`;
    const { code, out } = await runIn(cwd, ['machine', 'function'], input);
    expect(code).toBe(0);
    expect((parse(out) as ResourceList).items).toHaveLength(6);
    expect(out).not.toContain('sync-wave');
  });

  test('answers a list in JSON, and keeps numbers that a double cannot represent', async () => {
    const item = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"extra":9007199254740993}';
    const { code, out } = await run(`{"apiVersion":"v1","kind":"List","items":[${item}]}`);
    expect(code).toBe(0);
    expect(out).toContain('9007199254740993');
  });

  test.each([
    ['the configuration', (deep: string) => listOf(app, config(deep))],
    ['an item', (deep: string) => `${listOf(app)}- kind: ConfigMap\n  data: ${deep}\n`],
  ])('does not read a list in which %s is nested too deeply', async (_what, input) => {
    const { code, out, err } = await run(input(`${'['.repeat(20_000)}${']'.repeat(20_000)}`));
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.replace(/\[+/, '[')).toMatch(
      /^error FW1001: this is nested more than 500 levels deep\n +--> <stdin>:\d+:\d+\n/,
    );
    expect(err).toContain(
      '  = hint: Kubernetes objects are never nested so deeply: look for unclosed brackets, and for values that contain themselves\n',
    );
  });

  test.each([
    ['no yaml: [', 'standard input is not YAML: '],
    ['kind: ConfigMap\n', 'standard input is not a ResourceList\n'],
    [listOf(app, config('{ mod: synth }')), 'functionConfig has an unknown field mod\n'],
    [
      listOf(app, config('{ mode: check }')),
      'mode of the functionConfig is "check"\n  it is one of validate, synth\n',
    ],
    [listOf(app, config('{ fleet: [1] }')), 'fleet of the functionConfig is not a string\n'],
  ])('is not called as %j', async (input, message) => {
    const { code, out, err } = await run(input);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(`fleetwright: ${message}`);
  });
});
