import { describe, expect, test } from 'vitest';
import {
  ApiObject,
  ConditionRule,
  DeleteOption,
  Duration,
  Feedback,
  ManagedCluster,
  ManifestConfig,
  ManifestWork,
  ManifestWorkReplicaSet,
  Placement,
  Rollout,
  UpdateStrategy,
} from '../../constructs/index.ts';
import type { ManifestWorkReplicaSetProps, Workload } from '../../constructs/index.ts';
import type { ManifestWorkReplicaSetV1alpha1Spec } from '../../schemas/types.gen.ts';
import { errorsOf, objectOf, objectsOf, specOf } from './in-chart.ts';

const job = (scope: Workload) =>
  new ApiObject(scope, 'migrate', { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'migrate' } });

const manifests = [{ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'migrate', namespace: 'db' } }];

describe('a ManifestWork', () => {
  test('is in the namespace of its cluster', () => {
    const work = objectOf(
      (chart) =>
        new ManifestWork(chart, 'migration', { cluster: 'cluster1', workload: job, workloadNamespace: 'db' }),
    );

    expect(work).toStrictEqual({
      apiVersion: 'work.open-cluster-management.io/v1',
      kind: 'ManifestWork',
      metadata: { name: 'migration', namespace: 'cluster1' },
      spec: { workload: { manifests } },
    });
  });

  test('can be for a cluster that is registered beside it', () => {
    const [, work] = objectsOf((chart) => {
      const cluster = new ManagedCluster(chart, 'edge-1');
      new ManifestWork(chart, 'migration', { cluster, workload: job, workloadNamespace: 'db' });
    });

    expect(work?.metadata.namespace).toBe('edge-1');
  });

  test('writes all its props', () => {
    const spec = specOf(
      (chart) =>
        new ManifestWork(chart, 'migration', {
          cluster: 'cluster1',
          workloadNamespace: 'db',
          workload: (scope) => {
            const config = ManifestConfig.forObject(
              job(scope),
              {
                feedback: [Feedback.jsonPaths({ done: '.status.succeeded' })],
                feedbackScrapeType: 'Watch',
                conditions: [
                  ConditionRule.wellKnown('Complete'),
                  ConditionRule.cel('Quick', ['object.status.succeeded == 1'], { message: 'was quick' }),
                ],
                updateStrategy: UpdateStrategy.serverSideApply({
                  force: true,
                  fieldManager: 'work-agent-migration',
                  ignoreFields: [{ condition: 'OnSpokeChange', jsonPaths: ['.spec.parallelism'] }],
                }),
              },
              'jobs',
            );
            scope.addManifestConfig(config);
          },
          deleteOption: DeleteOption.selectivelyOrphan(
            [{ group: 'batch', resource: 'jobs', namespace: 'db', name: 'migrate' }],
            { ttlAfterFinished: Duration.hours(1) },
          ),
          executor: { namespace: 'db', name: 'migrator' },
        }),
    );

    expect(spec).toStrictEqual({
      workload: { manifests },
      manifestConfigs: [
        {
          resourceIdentifier: { group: 'batch', resource: 'jobs', namespace: 'db', name: 'migrate' },
          feedbackRules: [{ type: 'JSONPaths', jsonPaths: [{ name: 'done', path: '.status.succeeded' }] }],
          feedbackScrapeType: 'Watch',
          conditionRules: [
            { type: 'WellKnownConditions', condition: 'Complete' },
            {
              type: 'CEL',
              condition: 'Quick',
              celExpressions: ['object.status.succeeded == 1'],
              message: 'was quick',
            },
          ],
          updateStrategy: {
            type: 'ServerSideApply',
            serverSideApply: {
              force: true,
              fieldManager: 'work-agent-migration',
              ignoreFields: [{ condition: 'OnSpokeChange', jsonPaths: ['.spec.parallelism'] }],
            },
          },
        },
      ],
      deleteOption: {
        propagationPolicy: 'SelectivelyOrphan',
        selectivelyOrphans: {
          orphaningRules: [{ group: 'batch', resource: 'jobs', namespace: 'db', name: 'migrate' }],
        },
        ttlSecondsAfterFinished: 3600,
      },
      executor: {
        subject: { type: 'ServiceAccount', serviceAccount: { namespace: 'db', name: 'migrator' } },
      },
    });
  });

  test('has something to deliver', () => {
    expect(
      errorsOf((chart) => new ManifestWork(chart, 'empty', { cluster: 'cluster1', workload: () => {} })),
    ).toEqual([
      { construct: 'chart/empty', message: 'there is nothing to deliver: the workload has no objects' },
    ]);
  });
});

describe('a ManifestWorkReplicaSet', () => {
  test('delivers to the clusters of its placements', () => {
    const [, set] = objectsOf((chart) => {
      const placement = new Placement(chart, 'all');
      const replicaSet = new ManifestWorkReplicaSet(chart, 'migration', {
        placements: [{ placement, rollout: Rollout.progressivePerGroup() }],
        reportProgressing: false,
        workload: job,
        workloadNamespace: 'db',
        deleteOption: DeleteOption.orphan(),
        cascadeDeletionPolicy: 'Foreground',
      });
      replicaSet.addPlacement({ placement: Placement.reference('ocm', 'more') });
    });

    expect(set).toStrictEqual({
      apiVersion: 'work.open-cluster-management.io/v1alpha1',
      kind: 'ManifestWorkReplicaSet',
      metadata: { name: 'migration', namespace: 'ocm' },
      spec: {
        placementRefs: [
          { name: 'all', rolloutStrategy: { type: 'ProgressivePerGroup', progressivePerGroup: {} } },
          { name: 'more' },
        ],
        manifestWorkTemplate: { workload: { manifests }, deleteOption: { propagationPolicy: 'Orphan' } },
        cascadeDeletionPolicy: 'Foreground',
      },
    });
  });

  describe('with a rollout in waves reports Progressing', () => {
    const configsOf = (
      kinds: readonly string[],
      props: Partial<ManifestWorkReplicaSetProps> = {},
    ): unknown => {
      const [, set] = objectsOf((chart) => {
        const placement = new Placement(chart, 'all');
        new ManifestWorkReplicaSet(chart, 'web', {
          placements: [{ placement, rollout: Rollout.progressive({ maxConcurrency: 1 }) }],
          workloadNamespace: 'web',
          workload: (scope) => {
            for (const kind of kinds)
              new ApiObject(scope, kind.toLowerCase(), { apiVersion: apiVersions[kind] ?? 'v1', kind });
          },
          ...props,
        });
      });
      const spec = set?.['spec'] as ManifestWorkReplicaSetV1alpha1Spec;
      return (spec.manifestWorkTemplate?.manifestConfigs ?? []).map(
        ({ resourceIdentifier: { resource }, conditionRules = [] }) => [
          resource,
          ...conditionRules.map(
            ({ condition, celExpressions = [] }) => `${condition}: ${celExpressions.join()}`,
          ),
        ],
      );
    };
    const apiVersions: Readonly<Record<string, string>> = {
      Deployment: 'apps/v1',
      Job: 'batch/v1',
      Crontab: 'a.b/v1',
    };

    test('of all objects that take time', () => {
      expect(configsOf(['ConfigMap', 'Deployment', 'Job'])).toMatchInlineSnapshot(`
        [
          [
            "deployments",
            "Progressing: !has(object.status) || !has(object.status.observedGeneration) || object.status.observedGeneration < object.metadata.generation || (has(object.status.updatedReplicas) ? object.status.updatedReplicas : 0) < object.spec.replicas || (has(object.status.availableReplicas) ? object.status.availableReplicas : 0) < object.spec.replicas",
          ],
          [
            "jobs",
            "Progressing: !has(object.status) || !has(object.status.conditions) || !object.status.conditions.exists(c, c.type == 'Complete' && c.status == 'True')",
          ],
        ]
      `);
    });
    test('of one that is ready at once, if there are no others', () => {
      expect(configsOf(['Crontab', 'ConfigMap', 'Secret'])).toEqual([['configmaps', 'Progressing: false']]);
    });
    test('unless it is declared, omitted, or no readiness is known', () => {
      const config = ManifestConfig.of(
        { group: '', resource: 'configmaps', namespace: 'web', name: 'configmap' },
        { conditions: [ConditionRule.cel('Progressing', ['object.data.a == "b"'])] },
      );
      expect(configsOf(['ConfigMap', 'Deployment'], { manifestConfigs: [config] })).toEqual([
        ['configmaps', 'Progressing: object.data.a == "b"'],
      ]);
      expect(configsOf(['Deployment'], { reportProgressing: false })).toEqual([]);
      expect(configsOf(['Crontab'])).toEqual([]);
    });
    test('beside other rules, each for its own object', () => {
      const config = ManifestConfig.of(
        { group: 'batch', resource: 'jobs', namespace: 'web', name: 'job' },
        { conditions: [ConditionRule.wellKnown('Complete')] },
      );
      expect(configsOf(['ConfigMap', 'Job'], { manifestConfigs: [config] })).toEqual([
        ['configmaps', 'Progressing: false'],
        ['jobs', 'Complete: '],
      ]);
    });
  });

  test('finds placements in its own namespace only', () => {
    const errors = errorsOf((chart) => {
      const placement = new Placement(chart, 'all', { namespace: 'default' });
      new ManifestWorkReplicaSet(chart, 'migration', { placements: [{ placement }], workload: () => {} });
    });

    expect(errors).toEqual([
      { construct: 'chart/migration', message: 'there is nothing to deliver: the workload has no objects' },
      {
        construct: 'chart/migration',
        message: "Placement 'all' is in namespace 'default', but is looked for in 'ocm'",
      },
    ]);
  });
});

test('the other ways to apply and to delete have the names of the API', () => {
  const strategies = [UpdateStrategy.update(), UpdateStrategy.serverSideApply()].map(
    ({ strategy }) => strategy,
  );

  expect(strategies).toStrictEqual([{ type: 'Update' }, { type: 'ServerSideApply' }]);
  expect(DeleteOption.foreground().option).toStrictEqual({ propagationPolicy: 'Foreground' });
});
