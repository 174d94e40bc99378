import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { ocmKinds, reference } from '../client/kinds.ts';
import { present, Random } from '../differential/random.ts';
import { policyKinds, type PolicyCase } from './policy-case.ts';

/** The namespace of random policies. */
const namespace = 'policies';
const rings = ['1', '2', '3'];
const regions = ['eu', 'us'];

/** Returns a random fleet, with Policies and PolicySets that PlacementBindings bind in every way, and some that do not exist. */
export function randomPolicies(seed: number): PolicyCase {
  const random = new Random(seed);
  const clusters = Object.fromEntries(
    random.times(5, (index) => [
      `c${index + 1}`,
      { ring: random.pick(rings), ...present({ region: random.maybe(0.8, () => random.pick(regions)) }) },
    ]),
  );
  const policies = random.times(random.between(3, 7), (index) => `p${index}`);
  const sets = random.times(random.between(0, 3), (index) => `s${index}`);
  const placements = random.times(random.between(1, 4), (index) => `to-${index}`);
  const objects = [
    {
      ...reference(ocmKinds.managedClusterSetBinding, 'global', namespace),
      spec: { clusterSet: 'global' },
    },
    ...placements.map((name) => placement(random, name)),
    ...random.some(policies, 0.95).map((name) => policy(random, name)),
    ...random.some(sets, 0.95).map((name) => policySet(random, name, policies, Object.keys(clusters))),
    ...random.times(random.between(1, 8), (index) =>
      placementBinding(random, `b${index}`, { policies, sets, placements }),
    ),
  ];
  return { clusters, objects };
}

function placement(random: Random, name: string): KubernetesObject {
  const matchLabels = present({
    ring: random.maybe(0.5, () => random.pick(rings)),
    region: random.maybe(0.3, () => random.pick(regions)),
  });
  return {
    ...reference(ocmKinds.placement, name, namespace),
    spec: present({
      numberOfClusters: random.maybe(0.2, () => random.between(1, 3)),
      predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels } } }],
    }),
  };
}

const actions = ['inform', 'enforce', 'Inform', 'Enforce'];

function policy(random: Random, name: string): KubernetesObject {
  const objectDefinition = {
    apiVersion: 'policy.open-cluster-management.io/v1',
    kind: 'ConfigurationPolicy',
    metadata: { name },
    spec: {
      remediationAction: random.pick(['inform', 'enforce']),
      severity: 'low',
      'object-templates': [
        {
          complianceType: 'musthave',
          objectDefinition: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
        },
      ],
    },
  };
  return {
    ...reference(policyKinds.policy, name, namespace),
    spec: present({
      disabled: random.chance(0.15),
      remediationAction: random.maybe(0.8, () => random.pick(actions)),
      'policy-templates': [{ objectDefinition }],
    }),
  };
}

function policySet(
  random: Random,
  name: string,
  policies: readonly string[],
  clusters: readonly string[],
): KubernetesObject {
  return {
    ...reference(policyKinds.policySet, name, namespace),
    spec: present({
      policies: random.sample(policies, random.between(1, policies.length)),
      exclusions: random.maybe(0.3, () => [
        {
          policyName: random.pick(policies),
          clusterNames: random.sample(clusters, random.between(1, 2)),
        },
      ]),
    }),
  };
}

function placementBinding(
  random: Random,
  name: string,
  names: Readonly<Record<'policies' | 'sets' | 'placements', readonly string[]>>,
): KubernetesObject {
  const [apiGroup = ''] = policyKinds.policy[0].split('/');
  const subjects = random.times(random.between(1, 3), () => {
    const isSet = names.sets.length > 0 && random.chance(0.4);
    return {
      apiGroup,
      kind: isSet ? 'PolicySet' : 'Policy',
      name: random.chance(0.05) ? 'missing' : random.pick(isSet ? names.sets : names.policies),
    };
  });
  const restricted = random.chance(0.3);
  return {
    ...reference(policyKinds.placementBinding, name, namespace),
    placementRef: {
      apiGroup: 'cluster.open-cluster-management.io',
      kind: 'Placement',
      name: random.chance(0.05) ? 'missing' : random.pick(names.placements),
    },
    subjects,
    ...(restricted && { subFilter: 'restricted' }),
    ...((restricted || random.chance(0.3)) && {
      bindingOverrides: { remediationAction: random.pick(['enforce', 'Enforce']) },
    }),
  };
}
