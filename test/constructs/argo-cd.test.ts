import { describe, expect, test } from 'vitest';
import {
  ArgoCdApplication,
  ArgoCdApplicationSet,
  ArgoCdAppProject,
  ArgoCdGenerator,
  ArgoCdPlacementAccess,
  Placement,
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
});
