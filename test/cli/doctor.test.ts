import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { gitOpsFiles } from '../../src/cli/commands/init/gitops.ts';
import { serve } from './api-server.ts';
import { folderWith, runIn, type Ran } from './terminal.ts';

const settings = readFileSync(
  path.resolve(import.meta.dirname, '../../packaging/gitops/argocd-cm.yaml'),
  'utf8',
);

const application = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: hello, namespace: argocd }
spec:
  source: { repoURL: https://git.example.com/a.git, path: dist/hello }
  syncPolicy:
    automated: { prune: true, selfHeal: true }
    retry: { limit: -1, refresh: true }
    syncOptions: [ServerSideApply=true, PrunePropagationPolicy=background]
`;

const careless = application
  .replace('prune: true, ', '')
  .replace('limit: -1', 'limit: 3')
  .replace('[ServerSideApply=true, PrunePropagationPolicy=background]', '[PruneLast=true]');

/** The files that `init` writes for an engine. */
async function initialized(
  engine: 'argocd' | 'flux',
  hubs: readonly string[] = [],
): Promise<Readonly<Record<string, string>>> {
  const origin = { url: 'https://git.example.com/a.git', branch: 'main', prefix: '' };
  return {
    ...Object.fromEntries(await gitOpsFiles(engine, { name: 'add-ons', origin, hubs })),
    'fleetwright.yaml': `engine: ${engine}\n`,
  };
}

async function doctorOf(
  files: Readonly<Record<string, string>>,
  ...options: readonly string[]
): Promise<Ran> {
  return await runIn(await folderWith(files), ['doctor', ...options]);
}

function codesIn({ err }: Ran): readonly string[] {
  return [...err.matchAll(/^warning (FW\d+)/gm)].map(([, code = '']) => code);
}

describe('Argo CD', () => {
  test('has nothing to report of an Application as the guides have it', async () => {
    const found = await doctorOf({ 'gitops/hello.yaml': application });
    expect(found).toEqual({
      code: 0,
      out: 'Argo CD: 1 Application for dist/ in gitops\n',
      err: 'the health checks in argocd-cm are not in these files; doctor --against hub checks them\n',
    });
  });

  test('reports an Application that does otherwise, with the line: FW9060 to FW9064', async () => {
    const found = await doctorOf({ 'gitops/hello.yaml': careless });
    expect(found.code).toBe(1);
    expect(codesIn(found).toSorted()).toEqual(['FW9060', 'FW9061', 'FW9062', 'FW9063', 'FW9064']);
    expect(found.err).toContain(
      [
        'warning FW9060: Application "hello" gives a commit up after 3 retries',
        ' --> gitops/hello.yaml:8:5',
      ].join('\n'),
    );
  });

  test('is checked in the template of an ApplicationSet, and not for other Applications', async () => {
    const set = careless
      .replace('kind: Application', 'kind: ApplicationSet')
      .replace('spec:\n', 'spec:\n  template:\n    spec:\n')
      .replace('dist/hello', "'{{.path.path}}'")
      .replace(/^ {2}(?=source|syncPolicy)/gm, '      ')
      .replace(/^ {4}(?=automated|retry|syncOptions)/gm, '        ');
    expect(codesIn(await doctorOf({ 'a.yaml': set }, 'a.yaml'))).toContain('FW9060');
    const other = careless.replace('dist/hello', 'charts/other');
    expect(await doctorOf({ 'a.yaml': other }, 'a.yaml')).toEqual({
      code: 2,
      out: '',
      err: 'fleetwright: no Application for dist/ in a.yaml\n  name the files with the Applications, or use --against hub\n',
    });
  });

  test('reports missing and other health checks: FW9065', async () => {
    const withoutPlacement = settings.replace('cluster.open-cluster-management.io_Placement:', 'other:');
    const other = withoutPlacement.replace('waiting for the wave of the cluster', 'waiting');
    const found = await doctorOf({
      'gitops/hello.yaml': application,
      'gitops/argocd-cm.yaml': other,
    });
    expect(codesIn(found)).toEqual(['FW9065', 'FW9065']);
    expect(found.err).toContain('has no health check for Placement\n');
    expect(found.err).toContain('does not have the health check of this version for ManagedClusterAddOn\n');
    const onOpenShift = other.replace('namespace: argocd', 'namespace: openshift-gitops');
    const { err } = await doctorOf({ 'a.yaml': `${application}---\n${onOpenShift}` }, 'a.yaml');
    expect(err).toContain(
      'hint: add packaging/gitops/openshift-gitops.yaml of the package to the ArgoCD object',
    );
    const same = await doctorOf({
      'gitops/hello.yaml': application,
      'gitops/argocd-cm.yaml': settings,
    });
    expect(same).toMatchObject({ code: 0, err: '' });
  });

  test('is checked on the hub, with its ConfigMap', async () => {
    const { data } = parse(settings) as { readonly data: Readonly<Record<string, string>> };
    const { 'resource.customizations.health.work.open-cluster-management.io_ManifestWork': _, ...others } =
      data;
    const generated = { ownerReferences: [{ kind: 'ApplicationSet', name: 'set' }] };
    const answers: Readonly<Record<string, object>> = {
      '/apis/argoproj.io': { preferredVersion: { groupVersion: 'argoproj.io/v1alpha1' } },
      '/apis/argoproj.io/v1alpha1': {
        resources: [{ name: 'applications', kind: 'Application', namespaced: true }],
      },
      '/apis/argoproj.io/v1alpha1/applications': {
        kind: 'List',
        metadata: {},
        items: [
          parse(careless.replace('argocd }', 'gitops }')) as object,
          {
            metadata: { name: 'generated', namespace: 'gitops', ...generated },
            spec: { source: { path: 'dist/a' } },
          },
        ],
      },
      '/api/v1/namespaces/gitops/configmaps/argocd-cm': {
        metadata: { name: 'argocd-cm', namespace: 'gitops', resourceVersion: '1' },
        data: others,
      },
    };
    const hub = await serve(({ pathname }) => {
      const body = answers[pathname];
      return body === undefined ? { status: 404, body: {} } : { status: 200, body };
    });
    const found = await doctorOf(
      { 'hub.yaml': hub.kubeconfig },
      '--against',
      'hub',
      '--kubeconfig',
      'hub.yaml',
    );
    expect(found.out).toBe(`Argo CD: 1 Application for dist/ in ${hub.url}\n`);
    expect(codesIn(found)).toEqual(['FW9060', 'FW9061', 'FW9062', 'FW9063', 'FW9064', 'FW9065']);
    expect(found.err).toContain('ConfigMap "argocd-cm" has no health check for ManifestWork\n');
    expect(found.err).toContain('kubectl -n gitops patch configmap argocd-cm');
  });
});

test('an object of the hub that Argo CD and Flux apply is reported: FW9185', async () => {
  const addOns = '/apis/addon.open-cluster-management.io/v1alpha1/clustermanagementaddons';
  const answers: Readonly<Record<string, object>> = {
    '/apis/argoproj.io': { preferredVersion: { groupVersion: 'argoproj.io/v1alpha1' } },
    '/apis/argoproj.io/v1alpha1': {
      resources: [{ name: 'applications', kind: 'Application', namespaced: true }],
    },
    '/apis/argoproj.io/v1alpha1/applications': {
      kind: 'List',
      metadata: {},
      items: [parse(application) as object],
    },
    [addOns]: {
      kind: 'List',
      metadata: {},
      items: [
        { metadata: { name: 'one', labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps' } } },
        {
          metadata: {
            name: 'both',
            labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps' },
            managedFields: [{ manager: 'argocd-controller' }],
          },
        },
      ],
    },
  };
  const hub = await serve(({ pathname }) => {
    const body = answers[pathname];
    return body === undefined ? { status: 404, body: {} } : { status: 200, body };
  });
  const found = await doctorOf(
    { 'hub.yaml': hub.kubeconfig },
    '--against',
    'hub',
    '--kubeconfig',
    'hub.yaml',
  );
  expect(codesIn(found)).toEqual(['FW9185']);
  expect(found.err).toContain('ClusterManagementAddOn both is applied by Flux and Argo CD: each');
});

describe('Flux', () => {
  test('has nothing to report of the Kustomizations of init', async () => {
    expect(await doctorOf(await initialized('flux'))).toEqual({
      code: 0,
      out: 'Flux: 5 Kustomizations for dist/ in gitops\n',
      err: '',
    });
  });

  test('reports missing stages, dependencies, waits and health checks: FW9064, FW9066 to FW9069', async () => {
    const kustomization = (stage: string, spec: string): string => `---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: hello-${stage}, namespace: flux-system }
spec: { path: ./dist/hello/${stage}, prune: true, ${spec} }
`;
    const files = {
      'fleetwright.yaml': 'engine: flux\n',
      'gitops/hello.yaml': [
        kustomization('foundation', 'wait: true'),
        kustomization('placements', 'wait: true, timeout: 1m, dependsOn: [{ name: hello-foundation }]'),
        kustomization('add-ons', 'wait: true, timeout: 1m, dependsOn: []').replace(
          'prune: true',
          'prune: false',
        ),
        kustomization('clusters', 'dependsOn: [{ name: hello-add-ons }]'),
      ].join(''),
    };
    const found = await doctorOf(files);
    expect(found.code).toBe(1);
    const lines = found.err.split('\n').filter((line) => line.startsWith('warning '));
    expect(lines).toEqual([
      'warning FW9068: Kustomization "hello-foundation" has no timeout: while it waits, for up to its interval, it applies no later commit',
      'warning FW9066: no Kustomization applies dist/hello/configs',
      'warning FW9069: Kustomization "hello-placements" has no health check for cluster.open-cluster-management.io/Placement: it is ready as soon as it exists',
      'warning FW9064: Kustomization "hello-add-ons" does not delete objects that Git no longer has',
      'warning FW9068: Kustomization "hello-add-ons" waits for the rollout, and later commits wait with it',
      'warning FW9067: Kustomization "hello-add-ons" does not wait for placements: add-ons can be applied first',
    ]);
    const whole = kustomization('all', 'wait: true').replace('dist/hello/all', 'dist/hello');
    const atOnce = await doctorOf({ ...files, 'gitops/hello.yaml': whole });
    expect(atOnce.err).toContain('applies all stages of dist/hello at once');
  });

  test('reports two health checks for one kind: FW9069', async () => {
    const check =
      '{ apiVersion: cluster.open-cluster-management.io/v1beta1, kind: Placement, current: "true" }';
    const kustomization = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: a }
spec: { path: ./dist/a/placements, prune: true, wait: true, timeout: 1m, healthCheckExprs: [${check}, ${check}] }
`;
    const found = await doctorOf({ 'a.yaml': kustomization }, 'a.yaml', '--engine', 'flux');
    expect(found.err).toContain('several health checks for cluster.open-cluster-management.io/Placement');
  });
});

describe('the objects of init apply every app', () => {
  const apps = {
    'dist/hello/.fleetwright.json': '{ "files": [] }',
    'dist/second/.fleetwright.json': '{ "files": [] }',
  };
  const ofHubs = {
    'dist/prod-eu/.fleetwright.json': '{ "files": [] }',
    'dist/prod-eu/hello/.fleetwright.json': '{ "files": [] }',
    'dist/prod-us/.fleetwright.json': '{ "files": [] }',
    'dist/prod-us/hello/.fleetwright.json': '{ "files": [] }',
  };
  const hubs = ['prod-eu', 'prod-us'];
  const withHubs = (engine: string): Readonly<Record<string, string>> => ({
    'fleetwright.yaml': `engine: ${engine}\nhubs: { prod-eu: {}, prod-us: {} }\n`,
  });

  test.each(['argocd', 'flux'] as const)('of one hub, with %s', async (engine) => {
    expect(await doctorOf({ ...(await initialized(engine)), ...apps })).toMatchObject({ code: 0 });
  });

  test.each([
    ['argocd', 1],
    ['flux', 10],
  ] as const)('of several hubs, with %s', async (engine, count) => {
    const files = { ...(await initialized(engine, hubs)), ...ofHubs, ...withHubs(engine) };
    const { code, out } = await doctorOf(files);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(`: ${count} `) });
  });

  test.each(['argocd', 'flux'] as const)(
    'but not those of several hubs, if the workspace had one, with %s: FW9093',
    async (engine) => {
      const found = await doctorOf({ ...(await initialized(engine)), ...ofHubs, ...withHubs(engine) });
      expect(codesIn(found)).toEqual(['FW9093']);
      expect(found.err).toContain(' applies dist/prod-eu/hello, dist/prod-us/hello\n');
    },
  );

  test('which an object of a single app does not: FW9093', async () => {
    const found = await doctorOf({ 'gitops/hello.yaml': application, ...apps });
    expect(found.err).toContain(`warning FW9093: no Application applies dist/second
 --> gitops/hello.yaml:4:1
`);
  });
});

test('objects without a kind, a name or fields of the right type are left out', async () => {
  const malformed = [
    'kind: Application',
    'apiVersion: 1\nkind: 2\nmetadata: 3',
    'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: [] }',
    'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: a }\nspec: [dist]',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: argocd-cm }\ndata: text',
  ].join('\n---\n');
  const found = await doctorOf({ 'a.yaml': `${application}---\n${malformed}\n` }, 'a.yaml');
  expect(found.code).toBe(1);
  expect(codesIn(found)).toEqual(['FW9065']);
});

test('without an engine there is nothing to check, and without files a path is missing', async () => {
  const none = await doctorOf({ 'fleetwright.yaml': 'engine: none\n' });
  expect(none).toEqual({ code: 0, out: 'no GitOps engine to check\n', err: '' });
  expect((await doctorOf({ 'a.txt': '' })).err).toBe(
    'fleetwright: missing path: the workspace has no folder gitops\n  name the files with the Applications or Kustomizations, or use --against hub\n',
  );
  expect((await doctorOf({ 'a.yaml': application }, 'a.yaml', '--against', 'hub')).code).toBe(2);
});

describe('options that delete or ignore', () => {
  test('of Argo CD are reported with their lines: FW9182, FW9183', async () => {
    const text = application
      .replace('selfHeal: true', 'selfHeal: true, allowEmpty: true')
      .replace('[ServerSideApply=true,', '[ServerSideApply=true, Replace=true, Force=true,')
      .concat(
        '  ignoreDifferences:\n    - { group: addon.open-cluster-management.io, kind: ClusterManagementAddOn, jsonPointers: [/spec] }\n    - { group: apps, kind: Deployment, jsonPointers: [/spec/replicas] }\n',
      );
    const found = await doctorOf({ 'gitops/hello.yaml': text });
    expect(found.code).toBe(1);
    expect(codesIn(found)).toEqual(['FW9182', 'FW9182', 'FW9182', 'FW9183']);
    expect(found.err).toContain('warning FW9182: Application "hello" allows an empty folder');
  });

  test('of Flux are reported', async () => {
    const files = await initialized('flux');
    const apps = files['gitops/apps.yaml'] ?? '';
    const found = await doctorOf({
      ...files,
      'gitops/apps.yaml': apps.replace('  prune: true\n', '  prune: true\n  force: true\n'),
    });
    expect(codesIn(found)).toEqual(['FW9182']);
  });
});

describe('objects that apply what moved', () => {
  test('are found in all tracked files: FW9184', async () => {
    const moved = application.replace('dist/hello', 'hub').replace('name: hello', 'name: metrics');
    const sources = application.replace('dist/hello', 'apps/hello').replace('name: hello', 'name: both');
    const folder = await folderWith({
      'gitops/hello.yaml': application,
      'argocd/metrics.yaml': moved,
      'argocd/both.yaml': sources,
      'argocd/other.yaml': moved.replace('git.example.com/a.git', 'git.example.com/other.git'),
      'apps/hello/a.yaml': '',
    });
    const git = (...parameters: string[]): void => {
      execFileSync('git', parameters, { cwd: folder });
    };
    git('init', '-q');
    git('remote', 'add', 'origin', 'git@git.example.com:a.git');
    git('add', '.');
    const found = await runIn(folder, ['doctor']);
    expect(found.code).toBe(1);
    expect(codesIn(found)).toEqual(['FW9184', 'FW9184']);
    expect(found.err).toContain(
      'warning FW9184: Application "metrics" applies hub, which is not in the repository\n --> argocd/metrics.yaml:5:53',
    );
    expect(found.err).toContain('apply dist/hello, or disable pruning and delete it');
  });

  test('are found without objects in gitops/, beside the error: FW9184', async () => {
    const folder = await folderWith({ 'argocd/metrics.yaml': application.replace('dist/hello', 'hub') });
    const url = 'https://git.example.com/a.git';
    for (const parameters of [
      ['init', '-q'],
      ['remote', 'add', 'origin', url],
      ['add', '.'],
    ])
      execFileSync('git', parameters, { cwd: folder });
    const found = await runIn(folder, ['doctor']);
    expect(found.code).toBe(2);
    expect(codesIn(found)).toEqual(['FW9184']);
    expect(found.err).toContain('fleetwright: missing path: the workspace has no folder gitops\n');
  });

  test('are not those of folders that exist', async () => {
    const found = await doctorOf({
      'gitops/hello.yaml': application,
      'gitops/other.yaml': application
        .replace('dist/hello', 'charts/web')
        .replace('name: hello', 'name: web'),
      'charts/web/a.yaml': '',
    });
    expect(codesIn(found)).toEqual([]);
  });
});
