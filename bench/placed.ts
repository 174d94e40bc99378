// Measures what policies and ApplicationSets add to `plan`: 20 add-ons alone, and with 100 policies in 10 sets and 20 ApplicationSets,
// each as a whole process, in turn. The pull request moves every hundredth cluster to another environment, by which placements
// select, and edits one policy and one ApplicationSet. Run with: npm run build && node --import tsx bench/placed.ts [--timings]
// [CLUSTERS…]
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { KubernetesObject } from '../src/base/objects/object-meta.ts';
import { processCost, type ProcessCost } from './process-cost.ts';
import { baseState, headState, writeState, type State } from './states.ts';

const addOns = 20;
const policies = 100;
const policySets = 10;
const applicationSets = 20;
const runs = 3;
const environments = ['dev', 'stage', 'prod'];
const root = path.resolve(import.meta.dirname, '..');
const fleetwright = path.join(root, 'build/cli/main.js');
const clusterGroup = 'cluster.open-cluster-management.io';
const policyGroup = 'policy.open-cluster-management.io';
const namespace = 'argocd';

/** Policies of which every tenth is enforced in production, and Applications of one app per environment and cluster. */
function placedObjects(edit: string): KubernetesObject[] {
  const bound = (name: string, placement: string, subject: object, more: object = {}): KubernetesObject => ({
    apiVersion: `${policyGroup}/v1`,
    kind: 'PlacementBinding',
    metadata: { name, namespace },
    placementRef: { apiGroup: clusterGroup, kind: 'Placement', name: placement },
    subjects: [{ apiGroup: policyGroup, ...subject }],
    ...more,
  });
  const all = Array.from({ length: policies }, (_, index) => index);
  return [
    {
      apiVersion: `${clusterGroup}/v1beta2`,
      kind: 'ManagedClusterSetBinding',
      metadata: { name: 'global', namespace },
      spec: { clusterSet: 'global' },
    },
    ...environments.map((env): KubernetesObject => ({
      apiVersion: `${clusterGroup}/v1beta1`,
      kind: 'Placement',
      metadata: { name: env, namespace },
      spec: {
        predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { env } } } }],
        tolerations: [{ operator: 'Exists' }],
      },
    })),
    ...all.map((index) => policy(index, index === 0 ? edit : '')),
    ...Array.from({ length: policySets }, (_, set): KubernetesObject => ({
      apiVersion: `${policyGroup}/v1beta1`,
      kind: 'PolicySet',
      metadata: { name: `set-${set}`, namespace },
      spec: { policies: all.filter((index) => index % policySets === set).map((index) => `policy-${index}`) },
    })),
    ...Array.from({ length: policySets }, (_, set) =>
      environments.map((env) => bound(`set-${set}-${env}`, env, { kind: 'PolicySet', name: `set-${set}` })),
    ).flat(),
    ...all
      .filter((index) => index % 10 === 0)
      .map((index) =>
        bound(`enforced-${index}`, 'prod', { kind: 'Policy', name: `policy-${index}` }, restricted),
      ),
    ...Array.from({ length: applicationSets }, (_, index) =>
      applicationSet(index, index === 0 ? edit : 'main'),
    ),
  ];
}

const restricted = { subFilter: 'restricted', bindingOverrides: { remediationAction: 'enforce' } };

function policy(index: number, text: string): KubernetesObject {
  return {
    apiVersion: `${policyGroup}/v1`,
    kind: 'Policy',
    metadata: { name: `policy-${index}`, namespace },
    spec: {
      disabled: false,
      remediationAction: 'inform',
      'policy-templates': [
        {
          objectDefinition: {
            apiVersion: `${policyGroup}/v1`,
            kind: 'ConfigurationPolicy',
            metadata: { name: `policy-${index}` },
            spec: {
              severity: 'low',
              'object-templates': [
                {
                  complianceType: 'musthave',
                  objectDefinition: {
                    apiVersion: 'v1',
                    kind: 'ConfigMap',
                    metadata: { name: `settings-${index}`, namespace: 'default' },
                    data: { text },
                  },
                },
              ],
            },
          },
        },
      ],
    },
  };
}

function applicationSet(index: number, revision: string): KubernetesObject {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: `app-${index}`, namespace },
    spec: {
      goTemplate: true,
      generators: [
        {
          clusterDecisionResource: {
            configMapRef: 'acm-placement',
            labelSelector: { matchLabels: { [`${clusterGroup}/placement`]: environments[index % 3] } },
          },
        },
      ],
      template: {
        metadata: { name: `app-${index}-{{.name}}`, labels: { cluster: '{{.name}}' } },
        spec: {
          project: 'default',
          source: {
            repoURL: 'https://git.example.com/apps.git',
            path: `app-${index}`,
            targetRevision: revision,
          },
          destination: { name: '{{.name}}', namespace: `app-${index}` },
        },
      },
    },
  };
}

function cheapest(costs: readonly ProcessCost[]): ProcessCost {
  return costs.reduce((least, cost) => (cost.cpuSeconds < least.cpuSeconds ? cost : least));
}

const options = new Set(process.argv.slice(2).filter((argument) => argument.startsWith('--')));
const named = process.argv.slice(2).filter((argument) => /^\d+$/.test(argument));
const folder = await mkdtemp(path.join(tmpdir(), 'fleetwright-bench-'));
try {
  process.stdout.write('| clusters | inputs | time (s) | CPU (s) | memory (MB) | CPU by add-ons alone |\n');
  process.stdout.write('| --- | --- | --- | --- | --- | --- |\n');
  for (const clusters of named.length > 0 ? named.map(Number) : [1000, 10_000]) {
    const before = baseState(clusters, addOns, 1);
    const after = headState(before);
    const withPlaced = (state: State, edit: string): State => ({
      ...state,
      objects: [...state.objects, ...placedObjects(edit)],
    });
    const kinds = {
      'add-ons': [before, after],
      'with policies and ApplicationSets': [withPlaced(before, 'main'), withPlaced(after, 'next')],
    };
    const costs = new Map<string, ProcessCost[]>(Object.keys(kinds).map((kind) => [kind, []]));
    for (const [kind, states] of Object.entries(kinds))
      for (const [index, state] of states.entries()) {
        const at = path.join(folder, String(clusters), kind, String(index));
        await writeState(at, state);
      }
    for (let run = 0; run < runs; run++)
      for (const [kind, list] of costs) {
        const at = path.join(folder, String(clusters), kind);
        const states = [path.join(at, '0'), path.join(at, '1')];
        const parameters = ['plan', ...states, '--by', 'env,region'];
        list.push(await processCost(process.execPath, [fleetwright, ...parameters, '--timings']));
      }
    const alone = cheapest(costs.get('add-ons') ?? []);
    for (const [kind, list] of costs) {
      const cost = cheapest(list);
      const ratio = `${(cost.cpuSeconds / alone.cpuSeconds).toFixed(2)} ×`;
      const cells = [clusters, kind, cost.seconds.toFixed(2), cost.cpuSeconds.toFixed(2)];
      process.stdout.write(`| ${[...cells, (cost.peakMemory / 1e6).toFixed(0), ratio].join(' | ')} |\n`);
      if (options.has('--timings')) process.stdout.write(cost.err.slice(cost.err.indexOf('timings\n')));
    }
  }
} finally {
  await rm(folder, { recursive: true });
}
