import type { Seeded } from './seeded.ts';
import type { NamedValues, Vocabulary } from './vocabulary.ts';

type Make = (random: Seeded, words: Vocabulary) => string;

/** Expressions about one thing each. Some fail on clusters that lack it, which is no match. */
const atoms: readonly Make[] = [
  (random, { labels }) => {
    const { key, values } = word(random, labels);
    return `managedCluster.metadata.labels[${quoted(key)}] == ${quoted(random.pick(values, ''))}`;
  },
  (random, { labels }) => `${quoted(word(random, labels).key)} in managedCluster.metadata.labels`,
  (random, { labels }) => {
    const { key, values } = word(random, labels);
    return `managedCluster.metadata.labels[${quoted(key)}].startsWith(${quoted(random.pick(values, '').slice(0, 1))})`;
  },
  (random, { claims }) => {
    const { key, values } = word(random, claims);
    return `managedCluster.status.clusterClaims.exists(c, c.name == ${quoted(key)} && c.value == ${quoted(random.pick(values, ''))})`;
  },
  (random) =>
    `managedCluster.status.clusterClaims.size() ${random.pick(['>', '<=', '=='], '>')} ${random.between(0, 8)}`,
  (random) =>
    `quantity(managedCluster.status.allocatable.cpu).isGreaterThan(quantity("${random.between(1, 64)}"))`,
  (random) =>
    `quantity(managedCluster.status.capacity.memory).compareTo(quantity("${random.between(8, 256)}Gi")) >= 0`,
  (random) =>
    `semver(managedCluster.status.version.kubernetes.replace("v", "")).isLessThan(semver("1.${random.between(27, 36)}.0"))`,
  (random) => `managedCluster.metadata.name.matches("[${random.between(0, 4)}-9]$")`,
  (random, { scores }) => {
    const { resourceName, scoreName } = random.pick(scores, { resourceName: 'none', scoreName: 'none' });
    return `managedCluster.scores(${quoted(resourceName)}).filter(s, s.name == ${quoted(scoreName)}).all(s, s.value > ${random.between(-50, 50)})`;
  },
  () =>
    'managedCluster.status.conditions.exists(c, c.type == "ManagedClusterConditionAvailable" && c.status == "True")',
];

/** Returns a random expression about the labels, claims, resources and scores of a hub. */
export function celVariation(random: Seeded, words: Vocabulary, depth = 2): string {
  if (depth === 0 || random.chance(0.6))
    return (random.pick(atoms, undefined) ?? (() => 'true'))(random, words);
  const left = celVariation(random, words, depth - 1);
  const right = celVariation(random, words, depth - 1);
  return random.pick([`(${left}) && (${right})`, `(${left}) || (${right})`, `!(${left})`], left);
}

function word(random: Seeded, words: readonly NamedValues[]): NamedValues {
  return random.pick(words, { key: 'unknown', values: [''] });
}

/** Labels and claims come from clusters: a JSON string without control characters is one of CEL. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
