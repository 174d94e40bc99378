import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import {
  clusterManagementAddOn,
  deploymentConfigConfig,
  group,
  templateConfig,
} from '../differential/add-ons.ts';
import { clusterName, made, namesOf, namespaces, type Names } from '../differential/fleet.ts';
import { present, Random } from '../differential/random.ts';
import { ocmKinds } from '../client/kinds.ts';
import type { Behavior } from './work-agents.ts';

/** A rollout with agents that answer: an installation, then an update of the add-on. */
export interface TimedScenario {
  readonly name: string;
  /** What is on the hub before the add-on. */
  readonly fleet: readonly KubernetesObject[];
  readonly install: readonly KubernetesObject[];
  readonly update: readonly KubernetesObject[];
  /** An edit of the add-on while the update is on the way. Undefined in most scenarios. */
  readonly edit: TimedEdit | undefined;
  readonly installBehavior: ReadonlyMap<string, Behavior>;
  readonly updateBehavior: ReadonlyMap<string, Behavior>;
}

/** A change of an add-on during a rollout. */
export interface TimedEdit {
  /** Milliseconds after the start of the update. */
  readonly after: number;
  readonly objects: readonly KubernetesObject[];
}

const groups = ['dev', 'staging', 'prod'] as const;

/** The longest time that a slow agent takes, in milliseconds. */
const slowest = 2_000;

/** Returns a random strategy with a soak, over clusters in groups, some of which fail in the update. */
export function timedScenario(seed: number): TimedScenario {
  const random = new Random(seed);
  const names = namesOf(`fti${seed}`);
  const members = random.times(random.between(4, 12), (index) => clusterName(names, index));
  const groupOf = new Map(members.map((name, index) => [name, groups[index] ?? random.pick(groups)]));
  // Longer than what a slow machine takes, so that a soak that does not hold is not mistaken for one that does.
  const soak = random.between(5, 7);
  const strategy = rolloutStrategy(random, soak, members.length);
  const pace = random.pick(['quick', 'quick', 'slow', 'mixed'] as const);
  const behavior = (): Behavior =>
    pace === 'quick' || (pace === 'mixed' && random.chance(0.5)) ? 0 : random.between(1_000, slowest);
  const failing = random.chance(0.25) ? random.sample(members, 1) : [];
  const editAfter = random.maybe(0.3, () => random.between(500, soak * 2_000));
  const revision = (number: number): KubernetesObject[] => {
    const config = deploymentConfigConfig(`cfg-v${number}`, names);
    return [
      made(ocmKinds.addOnDeploymentConfig, config.name, names.configs, {
        spec: { customizedVariables: [{ name: 'REVISION', value: String(number) }] },
      }),
      clusterManagementAddOn(new Random(seed), {
        name: addOnOf(names),
        supported: [
          { group, resource: 'addontemplates', default: templateConfig(`${names.scenario}-tpl`) },
          { group, resource: 'addondeploymentconfigs', default: config },
        ],
        placements: [{ name: 'all', namespace: names.placements, rolloutStrategy: strategy }],
      }),
    ];
  };
  return {
    name: names.scenario,
    fleet: [
      ...namespaces(names),
      ...members.map((name) => cluster(names, name, groupOf.get(name) ?? 'prod')),
      made(ocmKinds.managedClusterSetBinding, 'global', names.placements, { spec: { clusterSet: 'global' } }),
      placement(names),
      template(names),
    ],
    install: revision(1),
    update: revision(2),
    edit: editAfter === undefined ? undefined : { after: editAfter, objects: revision(3) },
    installBehavior: new Map(members.map((name) => [name, behavior()])),
    updateBehavior: new Map(members.map((name) => [name, failing.includes(name) ? 'fails' : behavior()])),
  };
}

function rolloutStrategy(random: Random, soak: number, clusters: number): object {
  const common = {
    minSuccessTime: `${soak}s`,
    ...present({
      // An agent that is later than this fails, and then the next clusters change without its soak.
      progressDeadline: random.maybe(0.5, () => `${soak + 20}s`),
      maxFailures: random.maybe(0.4, () => random.pick([0, 1, '50%'] as const)),
      mandatoryDecisionGroups: random.maybe(0.4, () =>
        groups.slice(0, random.between(1, 2)).map((groupName) => ({ groupName })),
      ),
    }),
  };
  return random.chance(0.5)
    ? { type: 'ProgressivePerGroup', progressivePerGroup: common }
    : {
        type: 'Progressive',
        progressive: { maxConcurrency: clusters <= 6 ? 1 : random.pick([2, 3, '34%'] as const), ...common },
      };
}

function addOnOf({ scenario }: Names): string {
  return `${scenario}-addon`;
}

function cluster({ scenario }: Names, name: string, env: string): KubernetesObject {
  return made(ocmKinds.managedCluster, name, undefined, {
    metadata: { name, labels: { case: scenario, env } },
    spec: { hubAcceptsClient: true },
    status: {
      conditions: [
        'HubAcceptedManagedCluster',
        'ManagedClusterJoined',
        'ManagedClusterConditionAvailable',
      ].map((type) => ({
        type,
        status: 'True',
        reason: 'Played',
        message: '',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      })),
      version: { kubernetes: 'v1.32.0' },
    },
  });
}

function placement({ scenario, placements }: Names): KubernetesObject {
  return made(ocmKinds.placement, 'all', placements, {
    spec: {
      clusterSets: ['global'],
      predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { case: scenario } } } }],
      decisionStrategy: {
        groupStrategy: {
          decisionGroups: groups.map((env) => ({
            groupName: env,
            groupClusterSelector: { labelSelector: { matchLabels: { env } } },
          })),
        },
      },
    },
  });
}

/** A template whose works change with the revision. */
function template(names: Names): KubernetesObject {
  const manifest = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: names.scenario, namespace: 'agents' },
    data: { revision: '{{REVISION}}' },
  };
  return made(ocmKinds.addOnTemplate, `${names.scenario}-tpl`, undefined, {
    spec: { addonName: addOnOf(names), agentSpec: { workload: { manifests: [manifest] } } },
  });
}
