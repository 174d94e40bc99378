/** A group of clusters that an example updates before the others. */
export interface WaveGroup {
  /** Of the decision group. */
  readonly name: string;
  readonly label: string;
  readonly value: string;
}

/** The groups of the example fleet, which has clusters for development, staging and production. */
export const exampleGroups: readonly WaveGroup[] = ['dev', 'staging'].map((value) => ({
  name: value,
  label: 'env',
  value,
}));

/** The labels of the clusters of one hub. */
export type FleetLabels = readonly Readonly<Record<string, string>>[];

/** Names of environments, in the order in which a change usually reaches them. */
const usualOrder = [
  'dev',
  'development',
  'test',
  'qa',
  'int',
  'stage',
  'staging',
  'preprod',
  'prod',
  'production',
];

/** Names of labels for environments. Other labels, such as the vendor, divide a fleet in a way that has no order. */
const environmentLabels = ['env', 'environment', 'stage', 'tier'];

/** The maximum number of groups: an example shows the pattern. */
const mostGroups = 2;

/**
 * Returns the groups that an example updates first: the environments of the fleet, without the last one. Empty if no label of the
 * fleet names environments.
 *
 * @param hubs - the fleet of each hub. A group must have clusters on each of them.
 */
export function waveGroups(hubs: readonly FleetLabels[]): readonly WaveGroup[] {
  for (const label of environmentLabels) {
    const [first = new Set<string>(), ...others] = hubs.map(
      (clusters) => new Set(clusters.flatMap((labels) => labels[label] ?? [])),
    );
    const everywhere = [...first].filter((value) => others.every((values) => values.has(value)));
    const early = everywhere.filter(isGroupName).sort(byUsualOrder).slice(0, -1);
    const groups = early.slice(0, mostGroups).map((value) => ({ name: value, label, value }));
    if (JSON.stringify(groups) === JSON.stringify(exampleGroups)) return exampleGroups;
    if (groups.length > 0) return groups;
  }
  return [];
}

function isGroupName(value: string): boolean {
  return /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(value);
}

/** Unusual names come before production, by their names. */
function byUsualOrder(a: string, b: string): number {
  return positionOf(a) - positionOf(b) || (a < b ? -1 : 1);
}

function positionOf(value: string): number {
  const position = usualOrder.indexOf(value);
  return position === -1 ? usualOrder.indexOf('prod') - 0.5 : position;
}
