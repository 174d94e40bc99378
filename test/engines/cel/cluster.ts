import { cel028, type CelBehaviour } from '../../../src/engines/cel/behaviour.ts';
import { managedClusterVariables } from '../../../src/compiler/place/cel/managed-cluster-value.ts';
import {
  compileSelector,
  evaluate,
  type Program,
  type SelectorInput,
} from '../../../src/compiler/place/cel/selector.ts';
import type { ManagedClusterV1 } from '../../../schemas/types.gen.ts';

/** As a fleet snapshot holds it. */
export const cluster: ManagedClusterV1 = {
  apiVersion: 'cluster.open-cluster-management.io/v1',
  kind: 'ManagedCluster',
  metadata: {
    name: 'cluster1',
    labels: { env: 'prod', region: 'eu', 'topology.kubernetes.io/zone': 'a' },
    annotations: { config: '{"replicas": 3}' },
  },
  spec: {
    hubAcceptsClient: true,
    leaseDurationSeconds: 60,
    taints: [{ key: 'gpu', effect: 'NoSelect', timeAdded: '2026-01-02T05:04:05.678+02:00' }],
  },
  status: {
    conditions: [
      {
        type: 'ManagedClusterConditionAvailable',
        status: 'True',
        reason: 'ManagedClusterAvailable',
        message: '',
        lastTransitionTime: '2026-01-02T03:04:05Z',
      },
    ],
    capacity: { cpu: 8, memory: '32768Mi' },
    allocatable: { cpu: '7500m', memory: '31.5Gi' },
    version: { kubernetes: 'v1.30.1' },
    clusterClaims: [{ name: 'platform.open-cluster-management.io', value: 'AWS' }],
  },
};

const scores = [
  { name: 'cpu', value: 12 },
  { name: 'memory', value: 40 },
];

export const input: SelectorInput = {
  variables: managedClusterVariables(cluster),
  scores: (clusterName, name) => (clusterName === 'cluster1' && name === 'resources' ? scores : undefined),
};

export function programOf(expression: string, behaviour: CelBehaviour = cel028): Program {
  const { program, error, unsupported } = compileSelector(expression, behaviour);
  if (program === undefined) throw new Error(`${expression}: ${error ?? unsupported}`);
  return program;
}

/** `match`, `cannot tell: …`, or why it does not match. */
export function verdictOf(expression: string, behaviour: CelBehaviour = cel028): string {
  const evaluation = evaluate(programOf(expression, behaviour), input);
  if (evaluation.verdict === 'match') return 'match';
  if (evaluation.verdict === 'cannot tell') return `cannot tell: ${evaluation.reason}`;
  const { reason } = evaluation;
  if (reason.kind === 'error') return `error: ${reason.message}`;
  return reason.kind === 'not a boolean' ? `not a boolean: ${reason.type}` : reason.kind;
}
