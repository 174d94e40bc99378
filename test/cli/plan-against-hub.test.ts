import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { app, clusters } from '../compiler/plan/states.ts';
import { fleetOf } from '../resolve-text.ts';
import { refusal, serve, type ApiServer } from './api-server.ts';
import { folderWith, runIn, type Ran } from './terminal.ts';

const group = 'addon.open-cluster-management.io';

/** An add-on that is configured by a separate kind, and by a Secret. */
const foreign = `
---
apiVersion: ${group}/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: foreign }
spec:
  supportedConfigs:
  - { group: example.com, resource: widgets, defaultConfig: { name: w, namespace: default } }
  - { resource: secrets, defaultConfig: { name: s, namespace: default } }
`;

/** A hub that holds the app, and a widget that it may or may not show. */
async function hubWith(
  widget: object | undefined,
  text = app,
  bodies: Readonly<Record<string, object>> = {},
): Promise<ApiServer> {
  const held = parseAllDocuments(`${fleetOf(clusters)}---\n${text}${foreign}`)
    .map((document) => document.toJS() as KubernetesObject | null)
    .filter((object) => object !== null);
  return await serve(({ pathname }) => {
    const name = path.basename(pathname);
    const body = bodies[pathname];
    if (body !== undefined) return { status: 200, body };
    if (pathname === '/apis/example.com')
      return { status: 200, body: { preferredVersion: { groupVersion: 'example.com/v1' } } };
    if (pathname === '/apis/example.com/v1')
      return { status: 200, body: { resources: [{ name: 'widgets', kind: 'Widget', namespaced: true }] } };
    if (pathname === '/apis/example.com/v1/namespaces/default/widgets/w')
      return widget === undefined ? refusal(403, 'Forbidden', 'no') : { status: 200, body: widget };
    if (!pathname.startsWith('/apis/')) return refusal(404, 'NotFound', 'no');
    return {
      status: 200,
      body: { kind: 'List', items: held.filter(({ kind }) => `${kind.toLowerCase()}s` === name) },
    };
  });
}

async function plan(server: ApiServer, text: string, ...options: readonly string[]): Promise<Ran> {
  const cwd = await folderWith({ kubeconfig: server.kubeconfig, 'apps/hello/hub.yaml': text });
  return await runIn(cwd, ['plan', '--against', 'hub', '--kubeconfig', 'kubeconfig', ...options]);
}

const widget = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w', namespace: 'default', resourceVersion: '1' },
  spec: { a: 1 },
};

describe('plan --against hub', () => {
  test('reports no changes if the hub has everything already', async () => {
    const { code, out } = await plan(await hubWith(widget), app);
    expect(code).toBe(0);
    expect(out.split('\n')[0]).toBe('plan: nothing changes on 6 clusters');
  });

  test('reports so for a ManifestWorkReplicaSet, whose version is not the one that the hub prefers of its group', async () => {
    const workGroup = 'work.open-cluster-management.io';
    const set = `apiVersion: ${workGroup}/v1alpha1
kind: ManifestWorkReplicaSet
metadata: { name: web, namespace: default }
spec:
  placementRefs: [{ name: prod }]
  manifestWorkTemplate: { workload: { manifests: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: web, namespace: default } }] } }
`;
    const kind = { name: 'manifestworkreplicasets', kind: 'ManifestWorkReplicaSet', namespaced: true };
    const versions = ['v1', 'v1alpha1'].map((version) => ({ groupVersion: `${workGroup}/${version}` }));
    const bodies: Readonly<Record<string, object>> = {
      [`/apis/${workGroup}`]: { preferredVersion: versions[0], versions },
      [`/apis/${workGroup}/v1`]: {
        resources: [{ name: 'manifestworks', kind: 'ManifestWork', namespaced: true }],
      },
      [`/apis/${workGroup}/v1alpha1`]: { resources: [kind] },
      [`/apis/${workGroup}/v1alpha1/namespaces/default/${kind.name}/web`]: (parseAllDocuments(
        set.replace('{ name: web,', '{ resourceVersion: "1", name: web,'),
      )[0]?.toJS() ?? {}) as object,
    };
    const server = await hubWith(widget, app, bodies);
    expect((await plan(server, `${app}---\n${set}`)).out.split('\n')[0]).toBe(
      'plan: nothing changes on 6 clusters',
    );
    expect(
      (
        await plan(
          server,
          `${app}---\n${set.replace('name: web, namespace: default } }]', 'name: other, namespace: default } }]')}`,
        )
      ).out,
    ).toContain('ManifestWorkReplicaSet default/web');
  });

  test('reports so if the hub stores the same values in another form', async () => {
    const stored = app
      .replace('{ type: All }', '{ type: All, all: { minSuccessTime: 5m } }')
      .replace(
        'metadata: { name: hello }',
        'metadata: { name: hello, annotations: { addon.open-cluster-management.io/lifecycle: addon-manager } }',
      );
    const server = await hubWith(widget, stored.replace(' 5m ', ' 5m0s '));
    expect((await plan(server, stored)).out.split('\n')[0]).toBe('plan: nothing changes on 6 clusters');
    expect((await plan(server, stored.replace(' 5m ', ' 6m '))).out).toContain(
      'minSuccessTime: "5m0s" -> "6m0s"',
    );
  });

  test('reports so if controllers have added empty fields: OCM 1.3 writes every spec through its Go types', async () => {
    const empty = '  addOnMeta: {}\n  addOnConfiguration: {}\n  supportedConfigs:';
    const server = await hubWith(widget, app.replace('  supportedConfigs:', empty));
    expect((await plan(server, app)).out.split('\n')[0]).toBe('plan: nothing changes on 6 clusters');
    const described = app.replace(
      '  supportedConfigs:',
      '  addOnMeta: { description: x }\n  supportedConfigs:',
    );
    expect((await plan(server, described)).out).toContain('spec.addOnMeta.description: "x" added');
  });

  test('reports the effect of applying the apps, and keeps objects that only the hub has', async () => {
    const { code, out } = await plan(
      await hubWith(widget),
      app.replace('values: [prod, stage]', 'values: [prod]'),
    );
    expect(code).toBe(0);
    expect(out).toContain(
      'hello\n  UNINSTALLED from 2 clusters: c4, c5\n    because the predicates of Placement "default/stage" were edited (apps/hello/hub.yaml:27)',
    );
    expect(out).not.toContain('foreign');
  });

  test('reads configurations of other kinds if add-ons reference them, and never Secrets', async () => {
    const server = await hubWith(widget);
    await plan(server, app);
    expect(server.requests.filter((request) => request.includes('example.com'))).toEqual([
      'GET /apis/example.com',
      'GET /apis/example.com/v1',
      'GET /apis/example.com/v1/namespaces/default/widgets/w',
    ]);
    expect(server.requests.filter((request) => request.includes('secret'))).toEqual([]);
  });

  test('continues without those that may not be read', async () => {
    expect((await plan(await hubWith(undefined), app)).code).toBe(0);
  });

  test('fails if the hub cannot be read: FW9006', async () => {
    const server = await serve(() => refusal(401, 'Unauthorized', 'Unauthorized'));
    expect(await plan(server, app)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/^error FW9006/) as string,
    });
  });

  test('takes no revisions, and a plan without either is wrong use', async () => {
    const server = await hubWith(widget);
    expect(await plan(server, app, 'main')).toMatchObject({
      code: 2,
      err: 'fleetwright: --against hub compares the working tree\n  omit the revisions\n',
    });
    const cwd = await folderWith({});
    expect(await runIn(cwd, ['plan'])).toMatchObject({
      code: 2,
      err: 'fleetwright: missing states to compare\n  HEAD for the changes since the last commit, revisions BASE..HEAD, two folders, --against hub, or two releases such as --hub-version 1.2..1.3\n',
    });
    expect(await plan(server, app, '--hub-version', '1.2..1.3')).toMatchObject({
      code: 2,
      err: 'fleetwright: --against hub compares with a hub of one release\n  name one release with --hub-version\n',
    });
  });
});
