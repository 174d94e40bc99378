import type { JsonMap } from '../../../../src/base/json/json-map.ts';
import type { Random } from '../../differential/random.ts';
import { podTemplate, type GeneratedKind } from './generated-kind.ts';

/** A workload whose selector matches its template. */
function workload(random: Random, more: JsonMap = {}): JsonMap {
  const app = random.pick(['a', 'a', 'b'] as const);
  return {
    spec: {
      selector: { matchLabels: { app } },
      template: podTemplate(
        app,
        random.pick(['x:1', 'x:2'] as const),
        random.maybe(0.3, () => named(random)),
      ),
      ...more,
    },
  };
}

/** A variable with the name of the pod, with or without what the API server writes into it. */
function named(random: Random): JsonMap {
  const fieldPath = 'metadata.name';
  const fieldRef = random.pick([{ fieldPath }, { apiVersion: 'v1', fieldPath }] as const);
  return { env: [{ name: 'POD', valueFrom: { fieldRef } }] };
}

/** A claim for each pod, with or without what the API server writes into it. */
function claimTemplate(random: Random): JsonMap {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  return {
    metadata: { name: 'data' },
    spec: random.pick([spec, { ...spec, volumeMode: 'Filesystem' }] as const),
  };
}

/** Workloads, and what belongs to them. */
export const workloadKinds: readonly GeneratedKind[] = [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    content: (random) => workload(random, random.pick([{}, { replicas: 1 }, { replicas: 2 }] as const)),
  },
  { apiVersion: 'apps/v1', kind: 'DaemonSet', content: (random) => workload(random) },
  { apiVersion: 'apps/v1', kind: 'ReplicaSet', content: (random) => workload(random) },
  {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    content: (random) =>
      workload(random, {
        serviceName: random.pick(['s', 's', 't'] as const),
        replicas: random.pick([0, 1] as const),
        ...random.pick([{}, { podManagementPolicy: 'Parallel' }] as const),
        ...(random.chance(0.3) && { volumeClaimTemplates: [claimTemplate(random)] }),
      }),
  },
  {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    content: (random) => ({
      revision: random.pick([1, 2] as const),
      data: { a: random.pick(['1', '1', '2'] as const) },
    }),
  },
  {
    apiVersion: 'batch/v1',
    kind: 'Job',
    content: (random) => ({
      spec: {
        template: podTemplate('a', random.pick(['x:1', 'x:1', 'x:2'] as const), { restartPolicy: 'Never' }),
        parallelism: random.pick([1, 2] as const),
        ...random.pick([{}, { completionMode: 'NonIndexed' }] as const),
        ...random.pick([{}, { manualSelector: true, selector: { matchLabels: { app: 'a' } } }] as const),
      },
    }),
  },
  {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    content: (random) => ({
      spec: {
        schedule: random.pick(['0 0 * * *', '1 0 * * *'] as const),
        jobTemplate: { spec: { template: podTemplate('a', 'x:1', { restartPolicy: 'Never' }) } },
      },
    }),
  },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    content: (random) => ({
      spec: {
        automountServiceAccountToken: false,
        containers: [{ name: 'a', image: random.pick(['x:1', 'x:2'] as const) }],
        ...random.pick([{}, {}, { restartPolicy: 'Never' }] as const),
        ...random.pick([{}, {}, { nodeSelector: { a: 'b' } }] as const),
      },
    }),
  },
  {
    apiVersion: 'v1',
    kind: 'PodTemplate',
    content: (random) => ({ template: podTemplate('a', random.pick(['x:1', 'x:2'] as const)) }),
  },
  {
    apiVersion: 'v1',
    kind: 'ReplicationController',
    content: (random) => {
      const app = random.pick(['a', 'a', 'b'] as const);
      return { spec: { selector: { app }, replicas: 0, template: podTemplate(app, 'x:1') } };
    },
  },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    content: (random) => ({
      spec: {
        minAvailable: random.pick([1, 2] as const),
        selector: { matchLabels: { app: random.pick(['a', 'b'] as const) } },
      },
    }),
  },
  {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    content: (random) => ({
      spec: {
        maxReplicas: random.pick([2, 3] as const),
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' },
      },
    }),
  },
  {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    isClusterScoped: true,
    content: (random) => ({
      value: random.pick([1, 1, 2] as const),
      ...random.pick([
        {},
        { preemptionPolicy: 'PreemptLowerPriority' },
        { preemptionPolicy: 'Never' },
      ] as const),
    }),
  },
  {
    apiVersion: 'node.k8s.io/v1',
    kind: 'RuntimeClass',
    isClusterScoped: true,
    content: (random) => ({ handler: random.pick(['a', 'b'] as const) }),
  },
];
