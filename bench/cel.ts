import { performance } from 'node:perf_hooks';
import { managedClusterVariables } from '../src/compiler/place/cel/managed-cluster-value.ts';
import { compileSelector, evaluate } from '../src/compiler/place/cel/selector.ts';
import type { ManagedClusterV1 } from '../schemas/types.gen.ts';

const clusterCount = 10_000;

const expressions = [
  'managedCluster.metadata.labels.env == "prod"',
  'managedCluster.metadata.labels["env"] in ["prod", "stage"] && managedCluster.spec.hubAcceptsClient',
  'managedCluster.status.clusterClaims.exists(c, c.name == "platform.open-cluster-management.io" && c.value == "AWS")',
  'semver(managedCluster.status.version.kubernetes.replace("v", "")).isGreaterThan(semver("1.29.0"))',
  'quantity(managedCluster.status.allocatable.memory).isGreaterThan(quantity("16Gi"))',
  'managedCluster.scores("resources").filter(s, s.name == "cpu").all(s, s.value > 10)',
  'managedCluster.status.version.kubernetes.matches("^v1\\\\.(29|30)\\\\.")',
];

function cluster(number: number): ManagedClusterV1 {
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: {
      name: `cluster${number}`,
      labels: {
        env: ['prod', 'stage', 'dev'][number % 3] ?? '',
        region: `eu-${number % 5}`,
        vendor: 'OpenShift',
      },
    },
    spec: { hubAcceptsClient: true, leaseDurationSeconds: 60 },
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
      capacity: { cpu: '8', memory: '32Gi' },
      allocatable: { cpu: `${number % 8}500m`, memory: `${number % 32}.5Gi` },
      version: { kubernetes: `v1.${28 + (number % 3)}.1` },
      clusterClaims: [
        { name: 'id.k8s.io', value: `cluster${number}` },
        { name: 'platform.open-cluster-management.io', value: number % 2 === 0 ? 'AWS' : 'GCP' },
        { name: 'region.open-cluster-management.io', value: 'eu' },
      ],
    },
  };
}

/** Returns the best of some runs, in milliseconds: other load on the machine only increases the time. */
function best(work: () => void): number {
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(...times);
}

const clusters = Array.from({ length: clusterCount }, (_, number) => cluster(number));
const scores = () => [
  { name: 'cpu', value: 12 },
  { name: 'memory', value: 40 },
];

const row = (what: string, milliseconds: number) =>
  process.stdout.write(
    `${milliseconds.toFixed(1).padStart(8)} ms ${Math.round(clusterCount / milliseconds)
      .toLocaleString('en')
      .padStart(8)}/ms  ${what}\n`,
  );

process.stdout.write(`${clusterCount} clusters\n`);
for (const expression of expressions) {
  const { program } = compileSelector(expression);
  if (program === undefined) throw new Error(`does not compile: ${expression}`);
  row(
    `${expression} (first on a cluster)`,
    best(() => {
      for (const one of clusters) evaluate(program, { variables: managedClusterVariables(one), scores });
    }),
  );
  const inputs = clusters.map((one) => ({ variables: managedClusterVariables(one), scores }));
  row(
    expression,
    best(() => {
      for (const input of inputs) evaluate(program, input);
    }),
  );
}
