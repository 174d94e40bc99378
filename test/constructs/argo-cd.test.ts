import { describe, expect, test } from 'vitest';
import {
  ArgoCdApplication,
  ArgoCdApplicationSet,
  ArgoCdAppProject,
  ArgoCdGenerator,
  ArgoCdPlacementAccess,
  Placement,
  Selector,
} from '../../constructs/index.ts';
import { errorsOf, objectOf, objectsOf, specOf } from './in-chart.ts';

const repoUrl = 'https://git.example.com/platform/add-ons.git';

describe('an Application', () => {
  test('applies a folder to the hub that Argo CD runs on, and keeps it so', () => {
    expect(
      objectOf((chart) => new ArgoCdApplication(chart, 'helloworld', { repoUrl, path: 'dist/helloworld' })),
    ).toStrictEqual({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'helloworld', namespace: 'argocd' },
      spec: {
        project: 'default',
        source: { repoURL: repoUrl, targetRevision: 'HEAD', path: 'dist/helloworld' },
        destination: { server: 'https://kubernetes.default.svc' },
        syncPolicy: {
          automated: { prune: true, selfHeal: true },
          retry: {
            limit: -1,
            refresh: true,
            backoff: { duration: '10s', factor: 2, maxDuration: '3m' },
          },
          syncOptions: ['ServerSideApply=true', 'PrunePropagationPolicy=background'],
        },
      },
    });
  });

  test('may be in another namespace, request first, and leave fields to the hub', () => {
    const spec = specOf(
      (chart) =>
        new ArgoCdApplication(chart, 'helloworld', {
          repoUrl,
          path: 'dist/helloworld',
          targetRevision: 'v1',
          project: 'add-ons',
          destination: { name: 'hub', namespace: 'helloworld' },
          automated: false,
          syncOptions: ['RespectIgnoreDifferences=true'],
          ignoreDifferences: [
            {
              group: 'cluster.open-cluster-management.io',
              kind: 'ManagedCluster',
              jsonPointers: ['/spec/taints'],
            },
          ],
        }),
    );
    expect(spec).toStrictEqual({
      project: 'add-ons',
      source: { repoURL: repoUrl, targetRevision: 'v1', path: 'dist/helloworld' },
      destination: { name: 'hub', namespace: 'helloworld' },
      syncPolicy: {
        syncOptions: [
          'ServerSideApply=true',
          'PrunePropagationPolicy=background',
          'RespectIgnoreDifferences=true',
        ],
      },
      ignoreDifferences: [
        {
          group: 'cluster.open-cluster-management.io',
          kind: 'ManagedCluster',
          jsonPointers: ['/spec/taints'],
        },
      ],
    });
  });

  test('is written to one location', () => {
    const destination = { server: 'https://hub.example.com', name: 'hub' };
    expect(
      errorsOf((chart) => new ArgoCdApplication(chart, 'a', { repoUrl, path: 'dist/a', destination })),
    ).toEqual([
      { construct: 'chart/a', message: "Application 'a' has a destination with both a server and a name" },
    ]);
  });
});

test('an AppProject lets add-ons be applied, and neither clusters nor the hub', () => {
  expect(specOf((chart) => new ArgoCdAppProject(chart, 'add-ons', { sourceRepos: [repoUrl] }))).toStrictEqual(
    {
      sourceRepos: [repoUrl],
      destinations: [{ server: 'https://kubernetes.default.svc', namespace: '*' }],
      clusterResourceWhitelist: [
        { group: '', kind: 'Namespace' },
        { group: 'addon.open-cluster-management.io', kind: 'AddOnTemplate' },
        { group: 'addon.open-cluster-management.io', kind: 'ClusterManagementAddOn' },
        { group: 'cluster.open-cluster-management.io', kind: 'ManagedClusterSet' },
      ],
    },
  );
});

describe('an ApplicationSet', () => {
  test('makes an Application for every app that is there', () => {
    const spec = specOf(
      (chart) =>
        new ArgoCdApplicationSet(chart, 'apps', {
          generators: [ArgoCdGenerator.directories({ repoUrl, paths: ['dist/*'] })],
          applicationName: '{{.path.basename}}',
          template: { repoUrl, path: '{{.path.path}}' },
        }),
    );
    expect(spec).toMatchObject({
      goTemplate: true,
      goTemplateOptions: ['missingkey=error'],
      generators: [{ git: { repoURL: repoUrl, revision: 'HEAD', directories: [{ path: 'dist/*' }] } }],
      template: { metadata: { name: '{{.path.basename}}' }, spec: { source: { path: '{{.path.path}}' } } },
    });
  });

  test('makes one for every cluster that a Placement selects, which Argo CD may read', () => {
    const objects = objectsOf((chart) => {
      const placement = new Placement(chart, 'prod', { namespace: 'argocd' });
      const access = new ArgoCdPlacementAccess(chart, 'access');
      new ArgoCdApplicationSet(chart, 'guestbook', {
        generators: [ArgoCdGenerator.placement(placement, { access })],
        applicationName: 'guestbook-{{.name}}',
        template: {
          repoUrl,
          path: 'guestbook',
          destination: { server: '{{.server}}', namespace: 'guestbook' },
        },
      });
    });
    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`)).toEqual([
      'Placement argocd/prod',
      'ConfigMap argocd/ocm-placement-decisions',
      'Role argocd/ocm-placement-decisions',
      'RoleBinding argocd/ocm-placement-decisions',
      'ApplicationSet argocd/guestbook',
    ]);
    expect(objects[1]).toMatchObject({
      data: {
        apiVersion: 'cluster.open-cluster-management.io/v1beta1',
        kind: 'placementdecisions',
        statusListKey: 'decisions',
        matchKey: 'clusterName',
      },
    });
    expect(objects[4]).toMatchObject({
      spec: {
        generators: [
          {
            clusterDecisionResource: {
              configMapRef: 'ocm-placement-decisions',
              labelSelector: { matchLabels: { 'cluster.open-cluster-management.io/placement': 'prod' } },
              requeueAfterSeconds: 180,
            },
          },
        ],
        template: { spec: { destination: { server: '{{.server}}', namespace: 'guestbook' } } },
      },
    });
  });

  test('sees no Placement of another namespace', () => {
    const found = errorsOf((chart) => {
      const access = new ArgoCdPlacementAccess(chart, 'access');
      new ArgoCdApplicationSet(chart, 'guestbook', {
        generators: [ArgoCdGenerator.placement(Placement.reference('default', 'prod'), { access })],
        applicationName: 'guestbook-{{.name}}',
        template: { repoUrl, path: 'guestbook' },
      });
    });
    expect(found.map(({ message }) => message)).toEqual([
      "ApplicationSet 'guestbook' reads decisions in its own namespace 'argocd', and the Placement is in 'default'",
    ]);
  });

  test('makes one for each value', () => {
    expect(ArgoCdGenerator.list([{ cluster: 'a' }])).toEqual({
      generator: { list: { elements: [{ cluster: 'a' }] } },
    });
  });

  test('makes one for each file in Git', () => {
    const paths = ['clusters/*.yaml'] as const;
    const values = { name: '{{.path.basename}}' };
    const options = { repoUrl, paths, exclude: ['clusters/old.yaml'], pathParamPrefix: 'file', values };
    expect(ArgoCdGenerator.files(options).generator).toStrictEqual({
      git: {
        repoURL: repoUrl,
        revision: 'HEAD',
        files: [{ path: 'clusters/*.yaml' }, { path: 'clusters/old.yaml', exclude: true }],
        pathParamPrefix: 'file',
        values,
      },
    });
  });

  test('combines generators, and remembers the namespaces of their Placements', () => {
    const prod = ArgoCdGenerator.placement(Placement.reference('argocd', 'prod'));
    const east = ArgoCdGenerator.clusters({ labels: Selector.in('region', ['east']), flatList: true });
    const merged = ArgoCdGenerator.merge(['name'], [prod, east]);
    expect(ArgoCdGenerator.matrix(merged, ArgoCdGenerator.list([{ app: 'cart' }]))).toStrictEqual({
      namespaces: ['argocd'],
      generator: {
        matrix: {
          generators: [
            {
              merge: {
                mergeKeys: ['name'],
                generators: [
                  {
                    clusterDecisionResource: {
                      configMapRef: 'acm-placement',
                      labelSelector: {
                        matchLabels: { 'cluster.open-cluster-management.io/placement': 'prod' },
                      },
                      requeueAfterSeconds: 180,
                    },
                  },
                  {
                    clusters: {
                      selector: {
                        matchExpressions: [{ key: 'region', operator: 'In', values: ['east'] }],
                      },
                      flatList: true,
                    },
                  },
                ],
              },
            },
            { list: { elements: [{ app: 'cart' }] } },
          ],
        },
      },
    });
    const deep = ArgoCdGenerator.matrix(merged, east);
    expect(() => ArgoCdGenerator.matrix(deep, east)).toThrow(
      'a matrix has a generator that combines generators which combine others: Argo CD reads 2 levels',
    );
  });

  const guestbook = {
    generators: [ArgoCdGenerator.list([{ name: 'a', ring: '1' }])],
    applicationName: 'guestbook-{{.name}}',
    template: { repoUrl, path: 'guestbook' },
  };

  test('syncs in steps, and keeps what it must not touch', () => {
    const spec = specOf(
      (chart) =>
        new ArgoCdApplicationSet(chart, 'guestbook', {
          ...guestbook,
          applicationLabels: { ring: '{{.ring}}' },
          applicationAnnotations: { team: 'a' },
          applicationsSync: 'create-update',
          templatePatch: 'spec: {}',
          steps: [
            { label: 'ring', values: ['1'], maxUpdate: '50%' },
            { label: 'ring', values: ['1'], isExcluded: true },
          ],
          deletionOrder: 'Reverse',
          preservedFields: { labels: ['note'] },
        }),
    );
    expect(spec).toMatchObject({
      syncPolicy: { applicationsSync: 'create-update' },
      strategy: {
        type: 'RollingSync',
        deletionOrder: 'Reverse',
        rollingSync: {
          steps: [
            { matchExpressions: [{ key: 'ring', operator: 'In', values: ['1'] }], maxUpdate: '50%' },
            { matchExpressions: [{ key: 'ring', operator: 'NotIn', values: ['1'] }] },
          ],
        },
      },
      preservedFields: { labels: ['note'] },
      templatePatch: 'spec: {}',
      template: { metadata: { labels: { ring: '{{.ring}}' }, annotations: { team: 'a' } } },
    });
  });

  test('refuses steps that no Application is in', () => {
    const steps = [
      { label: 'ring', values: ['1'] as const },
      { label: 'env', values: ['prod'] as const },
    ];
    const applicationLabels = { env: 'test' };
    const faults = errorsOf((chart) => {
      new ArgoCdApplicationSet(chart, 'guestbook', { ...guestbook, applicationLabels, steps });
      new ArgoCdApplicationSet(chart, 'empty', { ...guestbook, generators: [], deletionOrder: 'Reverse' });
    });
    expect(faults.map(({ message }) => message)).toEqual([
      "ApplicationSet 'guestbook' has a step for Applications with the label ring in 1, which applicationLabels do not set: the step has no Application",
      "ApplicationSet 'guestbook' has a step for Applications with the label env in prod, and applicationLabels set it to 'test': the step has no Application",
      "ApplicationSet 'empty' has no generators, and creates no Application",
      "ApplicationSet 'empty' has a deletionOrder without steps, so that Argo CD ignores it",
    ]);
  });
});
