import type { Random } from './random.ts';

type Make = (random: Random) => string;

const labelKeys = ['env', 'region', 'tier', 'none'] as const;
const values = ['prod', 'dev', 'us-east-1', 'gold', ''] as const;
const label: Make = (random) => `managedCluster.metadata.labels[${text(random.pick(labelKeys))}]`;
const comparison: Make = (random) => random.pick(['==', '!=', '<', '>=', '>'] as const);
const method: Make = (random) => random.pick(['isGreaterThan', 'isLessThan'] as const);

/** Expressions that look at one thing each; some fail on clusters that lack it, which is no match. */
const atoms: readonly Make[] = [
  (random) => `${label(random)} == ${text(random.pick(values))}`,
  (random) => `${text(random.pick(labelKeys))} in managedCluster.metadata.labels`,
  (random) => `has(managedCluster.metadata.labels.${random.pick(labelKeys)})`,
  (random) =>
    `managedCluster.metadata.?labels[?${text(random.pick(labelKeys))}].orValue("x") != ${text(random.pick(values))}`,
  (random) => `managedCluster.metadata.name.endsWith(${text(String(random.between(0, 9)))})`,
  (random) => `managedCluster.metadata.name.matches("c0[${random.between(1, 4)}-9]$")`,
  (random) =>
    `int(managedCluster.metadata.name.split("-c")[1]) ${comparison(random)} ${random.between(1, 12)}`,
  (random) =>
    `managedCluster.status.clusterClaims.exists(c, c.name == "zone" && c.value == "z${random.between(1, 3)}")`,
  (random) =>
    `managedCluster.status.clusterClaims.filter(c, c.value.contains("1.3")).size() ${comparison(random)} ${random.between(0, 2)}`,
  (random) =>
    `managedCluster.status.clusterClaims.all(c, c.name.lowerAscii() == c.name && size(c.value) > ${random.between(1, 4)})`,
  (random) =>
    `managedCluster.status.clusterClaims.map(c, c.name).exists_one(n, n.startsWith(${text(random.pick(['v', 'platform', 'z']))}))`,
  (random) =>
    `semver(managedCluster.status.version.kubernetes.replace("v", "")).isGreaterThan(semver("1.${random.between(29, 32)}.0"))`,
  (random) =>
    `semver(managedCluster.status.version.kubernetes).major() == 1 || ${random.pick(['true', 'false'])}`,
  (random) =>
    `quantity(managedCluster.status.allocatable.cpu).${method(random)}(quantity("${random.between(1, 64)}"))`,
  (random) =>
    `quantity(managedCluster.status.allocatable.memory).compareTo(quantity("${random.between(8, 256)}Gi")) ${comparison(random)} 0`,
  (random) =>
    `quantity(managedCluster.status.capacity["cpu"]).asInteger() - quantity(managedCluster.status.allocatable["cpu"]).asInteger() > ${random.between(0, 40)}`,
  (random) =>
    `managedCluster.scores("demo").filter(s, s.name == "cpu").all(s, s.value ${comparison(random)} ${random.between(-50, 50)})`,
  (random) =>
    `managedCluster.scores("demo").map(s, s.value).sum() ${comparison(random)} ${random.between(-50, 50)}`,
  (random) => `managedCluster.scores(${text(random.pick(['demo', 'none']))}).size() >= 1`,
  (random) =>
    `managedCluster.spec.leaseDurationSeconds ${comparison(random)} ${random.pick(['3600', '59.5', '3600.0'])}`,
  () =>
    'managedCluster.status.conditions.exists(c, c.type == "ManagedClusterConditionAvailable" && c.status == "True")',
  (random) =>
    `timestamp(managedCluster.status.conditions[0].lastTransitionTime).getFullYear() ${comparison(random)} 2026`,
  () => 'has(managedCluster.spec.taints) && managedCluster.spec.taints.all(t, t.effect != "NoSelect")',
  (random) => `'{"a": [1, ${random.between(1, 3)}]}'.parseJSON().a[1] == ${random.between(1, 3)}.0`,
  () => '"not a boolean"',
  () => 'optional.of(true)',
];

/** Expressions that do not compile: the whole placement is misconfigured. */
const faulty = [
  'managedCluster.metadata.labels[',
  '1 == 1.0',
  'unknown > 1',
  'semver("1.0.0", true).major() == 1',
] as const;

/** An expression over a managed cluster, as placements may hold. */
export function celExpression(random: Random): string {
  if (random.chance(0.03)) return random.pick(faulty);
  return expression(random, 2);
}

function expression(random: Random, depth: number): string {
  if (depth === 0 || random.chance(0.6)) return random.pick(atoms)(random);
  const [left, right] = [expression(random, depth - 1), expression(random, depth - 1)];
  return random.pick([
    `(${left}) && (${right})`,
    `(${left}) || (${right})`,
    `!(${left})`,
    `(${left}) ? (${right}) : ${random.pick(['true', 'false'])}`,
  ]);
}

function text(value: string): string {
  return JSON.stringify(value);
}
