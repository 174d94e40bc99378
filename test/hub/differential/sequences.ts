import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { isOfKind, ocmKinds } from '../client/kinds.ts';
import { clusters, clusterSets, environments, made, namesOf, namespaces, type Names } from './fleet.ts';
import { placement } from './placements.ts';
import { Random } from './random.ts';

/** One edit of a fleet and its placements. */
export interface Edit {
  readonly name: string;
  /** All objects after the edit. */
  readonly objects: readonly KubernetesObject[];
  readonly changed: readonly KubernetesObject[];
  readonly removed: readonly KubernetesObject[];
}

/** The objects at first, and edits one after the other. */
export interface Sequence {
  readonly first: readonly KubernetesObject[];
  readonly edits: readonly Edit[];
}

type Change = Pick<Edit, 'name' | 'changed' | 'removed'>;

const longAgo = '2026-01-01T00:00:00Z';
const setLabel = 'cluster.open-cluster-management.io/clusterset';

/** Three to six edits of a fleet with one or two placements that select some of the clusters. */
export function sequence(seed: number): Sequence {
  const random = new Random(seed);
  const names = namesOf(`seq${seed}`);
  const shape = { numbered: 0.9, grouped: 0.3, selective: 0.15 };
  const first = [
    ...namespaces(names),
    ...clusterSets(random, names),
    crowd(names),
    ...clusters(random, names, { clusters: random.between(5, 9), trouble: 0.1 }),
    ...random.times(random.between(1, 2), (index) => placement(random, names, index, shape)),
  ];
  const away: KubernetesObject[] = [];
  const played: Edit[] = [];
  let objects: readonly KubernetesObject[] = first;
  for (let left = random.between(3, 6); left > 0; left--) {
    const change = anyChange(random, names, objects, away);
    objects = after(objects, change);
    played.push({ ...change, objects });
  }
  return { first, edits: played };
}

/**
 * Balance divides by the highest number of decisions that any name on the hub has. A name without a cluster makes it the same for
 * all sequences that are played together.
 */
function crowd({ scenario, placements }: Names): KubernetesObject {
  const clusterName = `${scenario}-none`;
  return made(ocmKinds.placementDecision, 'crowd', placements, {
    status: { decisions: Array.from({ length: 8 }, () => ({ clusterName, reason: '' })) },
  });
}

function after(objects: readonly KubernetesObject[], { changed, removed }: Change): KubernetesObject[] {
  const keyOf = ({ kind, metadata }: KubernetesObject): string =>
    `${kind}/${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
  const gone = new Set([...removed, ...changed].map(keyOf));
  return [...objects.filter((object) => !gone.has(keyOf(object))), ...changed];
}

interface Cluster extends KubernetesObject {
  readonly spec: { readonly taints?: readonly object[] };
}

interface Placement extends KubernetesObject {
  readonly spec: object;
}

/** The parts of a sequence that an edit changes. */
interface Situation {
  readonly random: Random;
  readonly names: Names;
  readonly clusters: readonly Cluster[];
  readonly placements: readonly Placement[];
  /** Objects that earlier edits removed and that may come back. Edits update it. */
  readonly away: KubernetesObject[];
}

const spec = { numbered: 0.9, grouped: 0.5, selective: 0.15 };

/** The edits by name. An edit that is not possible returns undefined. */
const edits: Readonly<Record<string, (situation: Situation) => Omit<Change, 'name'> | undefined>> = {
  'label of a cluster': ({ random, clusters }) =>
    changed(labeled(random.pick(clusters), 'env', random.pick(environments))),
  'set of a cluster': ({ random, names, clusters }) =>
    changed(
      labeled(random.pick(clusters), setLabel, `${names.scenario}-${random.pick(['a', 'b'] as const)}`),
    ),
  'taint of a cluster': ({ random, clusters }) => {
    const cluster = random.pick(clusters);
    const { taints = [] } = cluster.spec;
    const isRemoved = taints.length > 0 && random.chance(0.4);
    const taint = { key: 'maintenance', value: 'yes', effect: 'NoSelectIfNew', timeAdded: longAgo };
    return changed({ ...cluster, spec: { ...cluster.spec, taints: isRemoved ? [] : [taint] } });
  },
  'cluster leaves': ({ random, clusters, away }) => {
    if (clusters.length < 3) return undefined;
    return { changed: [], removed: [leaves(random.pick(clusters), away)] };
  },
  'placement is deleted': ({ random, placements, away }) => {
    if (placements.length < 2) return undefined;
    return { changed: [], removed: [leaves(random.pick(placements), away)] };
  },
  'object is created again': ({ away }) => {
    const object = away.pop();
    return object && changed(object);
  },
  'number of a placement': ({ random, placements }) => {
    const placement = random.pick(placements);
    const numberOfClusters = random.between(1, 4);
    return changed({ ...placement, spec: { ...placement.spec, numberOfClusters } });
  },
  'spec of a placement': ({ random, names, placements }) => {
    const other = placement(random, names, 0, spec) as Placement;
    return changed({ ...random.pick(placements), spec: other.spec });
  },
};

/** How often each edit is chosen: the hub remembers most of what taints and numbers change. */
const choices = Object.keys(edits).flatMap((name) =>
  /taint|number|leaves|again/.test(name) ? [name, name] : [name],
);

function anyChange(
  random: Random,
  names: Names,
  objects: readonly KubernetesObject[],
  away: KubernetesObject[],
): Change {
  const situation = {
    random,
    names,
    clusters: objects.filter((object) => isOfKind(object, ocmKinds.managedCluster)) as Cluster[],
    placements: objects.filter((object) => isOfKind(object, ocmKinds.placement)) as Placement[],
    away,
  };
  for (;;) {
    const name = random.pick(choices);
    const change = edits[name]?.(situation);
    if (change !== undefined) return { name, ...change };
  }
}

function changed(object: KubernetesObject): Omit<Change, 'name'> {
  return { changed: [object], removed: [] };
}

function leaves(object: KubernetesObject, away: KubernetesObject[]): KubernetesObject {
  away.push(object);
  return object;
}

function labeled(cluster: Cluster, label: string, value: string): KubernetesObject {
  const { metadata } = cluster;
  return { ...cluster, metadata: { ...metadata, labels: { ...metadata.labels, [label]: value } } };
}
