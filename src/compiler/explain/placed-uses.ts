import { compareUtf8 } from '../../base/json/go-json.ts';
import { groupOf, guessResource } from '../../base/names/resource-name.ts';
import { isEnforce, type PolicyBinding } from '../api/bound-policies.ts';
import { placementFollowers, type FollowerKind } from '../api/placement-followers.ts';
import { namespaceOf } from '../api/placement-references.ts';
import { applicationGenerator } from '../application-sets/generate-applications.ts';
import { placedByCluster, type PlacedBoundPolicy } from '../application-sets/placed-by-cluster.ts';
import { isNamed } from '../compare/usable-objects.ts';
import { objectKey, type Admitted } from '../model/inventory.ts';
import type { Resolution } from '../resolve.ts';
import type { Referent } from '../../ocm/referent.ts';

/** A Policy, an ApplicationSet or another follower of Placements, with the clusters that it reaches. */
export interface PlacedUse {
  readonly kind: FollowerKind;
  /** `namespace/name`. */
  readonly name: string;
  /** Sorted by name. */
  readonly clusters: readonly string[];
  /** The clusters that enforce a Policy, sorted by name. Absent for other kinds. */
  readonly enforced?: readonly string[];
  /** The number of Applications of an ApplicationSet on these clusters. Absent if they are not known, and for other kinds. */
  readonly applications?: number;
}

type Placed = Pick<Resolution, 'inventory' | 'decisions'>;

/** Whether an object counts: one of those that a question or a file names. */
type Test = (kind: string, name: string) => boolean;

/** The objects that are named, and the parts that they decide. */
interface Named {
  readonly object: Test;
  /** Whether a Placement counts, by `namespace/name`. */
  readonly placement: (key: string) => boolean;
  readonly cluster: (name: string) => boolean;
}

/** The objects that decide about followers of Placements, besides Placements. */
const placingKinds: ReadonlySet<string> = new Set([
  'ApplicationSet',
  'GitOpsCluster',
  'PlacementBinding',
  'Policy',
  'PolicySet',
  'Subscription',
]);

/** Returns the objects of these kinds, as a question can name them. */
export function placingObjects({ inventory }: Pick<Resolution, 'inventory'>): readonly Referent[] {
  return inventory.others
    .filter(({ object }) => placingKinds.has(object.kind))
    .map((admitted) => ({
      group: groupOf(admitted.object.apiVersion),
      resource: guessResource(admitted.object.kind),
      namespace: namespaceOf(admitted),
      name: admitted.object.metadata.name ?? '',
    }));
}

/** Returns what the objects of these kinds that a question names bring to clusters, by object. */
export function placedUsesOf(
  resolution: Placed,
  question: string,
): readonly { readonly object: string; readonly placed: readonly PlacedUse[] }[] {
  return placingObjects(resolution)
    .filter((referent) => isNamed(referent, question))
    .map(({ resource, namespace, name }) => {
      const key = objectKey(namespace, name);
      const object: Test = (kind, each) => each === key && guessResource(kind) === resource;
      const nothing = (): boolean => false;
      return {
        object: `${resource} ${key}`,
        placed: placedUses(resolution, { object, placement: nothing, cluster: nothing }),
      };
    });
}

/** Returns the followers of Placements that named objects decide about, with the clusters on which they do. By kind and name. */
export function placedUses(resolution: Placed, named: Named): readonly PlacedUse[] {
  const uses = [
    ...placedByCluster(resolution).policies.map((policy) => policyUse(policy, resolution, named)),
    ...applicationSetUses(resolution, named),
    ...otherUses(resolution, named),
  ];
  return uses
    .filter(({ clusters }) => clusters.length > 0)
    .sort((a, b) => compareUtf8(a.kind, b.kind) || compareUtf8(a.name, b.name));
}

function policyUse(
  { policy: { name, bindings }, placed }: PlacedBoundPolicy,
  { decisions }: Placed,
  named: Named,
): PlacedUse {
  const isWhole = named.object('Policy', name);
  const deciding = bindings.filter((binding) => decides(binding, named));
  const reached = new Set(
    deciding.flatMap(({ reference }) => decisions.byPlacement.get(reference.key)?.selected ?? []),
  );
  const clusters = [...placed.keys()]
    .filter((cluster) => isWhole || reached.has(cluster) || named.cluster(cluster))
    .sort(compareUtf8);
  const enforced = clusters.filter((cluster) => isEnforce(placed.get(cluster)?.remediationAction));
  return { kind: 'Policy', name, clusters, enforced };
}

function decides({ holder, set, reference }: PolicyBinding, named: Named): boolean {
  return (
    named.object('PlacementBinding', keyOf(holder)) ||
    (set !== undefined && named.object('PolicySet', keyOf(set))) ||
    (reference.kind === 'Placement' && named.placement(reference.key))
  );
}

function applicationSetUses(resolution: Placed, named: Named): readonly PlacedUse[] {
  const generator = applicationGenerator(resolution);
  const sets = generator.sets();
  if (sets.length === 0) return [];
  const placements = new Map(
    placementFollowers(resolution.inventory)
      .filter(({ kind }) => kind === 'ApplicationSet')
      .map(({ name, references }) => [name, references.map(({ key }) => key)]),
  );
  return sets.map((holder): PlacedUse => {
    const name = keyOf(holder);
    const keys = placements.get(name) ?? [];
    const { applications, unanswered } = generator.generate(holder);
    const known = generator.clusters(namespaceOf(holder)).byName;
    const registers = (cluster: string): boolean => {
      const gitOpsCluster = known.get(cluster)?.gitOpsCluster;
      return gitOpsCluster !== undefined && named.object('GitOpsCluster', keyOf(gitOpsCluster.holder));
    };
    const isWhole = named.object('ApplicationSet', name) || keys.some(named.placement);
    const isReached = (cluster: string): boolean => isWhole || named.cluster(cluster) || registers(cluster);
    if (unanswered !== undefined) {
      const selected = keys.flatMap((key) => resolution.decisions.byPlacement.get(key)?.selected ?? []);
      return { kind: 'ApplicationSet', name, clusters: sorted(selected.filter(isReached)) };
    }
    const reached = applications.flatMap(({ cluster }) =>
      cluster !== undefined && isReached(cluster) ? [cluster] : [],
    );
    return { kind: 'ApplicationSet', name, clusters: sorted(reached), applications: reached.length };
  });
}

/** Returns the uses of the kinds that are not evaluated further: they are where their Placements select. */
function otherUses({ inventory, decisions }: Placed, named: Named): readonly PlacedUse[] {
  return placementFollowers(inventory).flatMap(({ kind, name, references }): PlacedUse[] => {
    if (kind === 'Policy' || kind === 'PolicySet' || kind === 'PlacementBinding') return [];
    if (kind === 'ApplicationSet') return [];
    const isWhole = named.object(kind, name);
    const selected = references
      .filter((reference) => reference.kind === 'Placement')
      .flatMap(({ key }) => {
        const clusters = decisions.byPlacement.get(key)?.selected ?? [];
        return isWhole || named.placement(key) ? clusters : clusters.filter(named.cluster);
      });
    return [{ kind, name, clusters: sorted(selected) }];
  });
}

function sorted(clusters: readonly string[]): readonly string[] {
  return [...new Set(clusters)].sort(compareUtf8);
}

function keyOf(admitted: Admitted): string {
  return objectKey(namespaceOf(admitted), admitted.object.metadata.name ?? '');
}
