import { compareUtf8 } from '../../base/json/go-json.ts';
import { fieldAt, namespaceOf } from '../api/placement-references.ts';
import type { PlacementFollower } from '../api/placement-followers.ts';
import { applicationGenerator, type GenerationInputs } from '../application-sets/generate-applications.ts';
import { objectKey, type Admitted } from '../model/inventory.ts';
import type { PlacedBy, PlacedObject } from './placed-objects.ts';

/**
 * Returns the ApplicationSets whose Applications deploy to a cluster, with the Applications. An ApplicationSet that is not evaluated,
 * or that Argo CD rejects, is on the clusters that its Placements select, with the part that is not evaluated or the error.
 *
 * @param followers - the ApplicationSets that name Placements, by `namespace/name`
 * @param naming - returns the Placements of a follower that select the cluster
 */
export function placedApplications(
  inputs: GenerationInputs,
  cluster: string,
  followers: ReadonlyMap<string, PlacementFollower>,
  naming: (follower: PlacementFollower) => readonly PlacedBy[],
): readonly PlacedObject[] {
  const generator = applicationGenerator(inputs);
  return generator.sets().flatMap((holder): PlacedObject[] => {
    const name = objectKey(namespaceOf(holder), holder.object.metadata.name ?? '');
    const follower = followers.get(name);
    const by = follower === undefined ? [] : naming(follower);
    const { applications, unanswered, error } = generator.generate(holder);
    if (unanswered !== undefined)
      return by.length === 0 ? [] : [{ kind: 'ApplicationSet', name, by, unknown: unanswered }];
    if (error !== undefined) return by.length === 0 ? [] : [{ kind: 'ApplicationSet', name, by, error }];
    const names = applications.filter((each) => each.cluster === cluster).map((each) => each.name);
    if (names.length === 0) return [];
    const registering = registeredBy(holder, generator.clusters(namespaceOf(holder)).byName.get(cluster));
    return [
      {
        kind: 'ApplicationSet',
        name,
        by: by.length > 0 ? by : registering,
        applications: names.sort(compareUtf8),
      },
    ];
  });
}

/** Returns the Placement that registers the cluster in Argo CD, for an ApplicationSet with a `clusters` generator. */
function registeredBy(
  { object }: Admitted,
  registered:
    { readonly gitOpsCluster?: { readonly holder: Admitted; readonly placement: string } } | undefined,
): readonly PlacedBy[] {
  const { gitOpsCluster } = registered ?? {};
  if (gitOpsCluster === undefined || !hasClusters(fieldAt(object, ['spec', 'generators']))) return [];
  const { holder, placement } = gitOpsCluster;
  const location = holder.origin.locate(['spec', 'placementRef', 'name']);
  const title = `GitOpsCluster ${objectKey(namespaceOf(holder), holder.object.metadata.name ?? '')}`;
  return [{ placement, through: [title], location }];
}

function hasClusters(generators: unknown): boolean {
  return (Array.isArray(generators) ? generators : []).some(
    (entry) =>
      fieldAt(entry, ['clusters']) !== undefined ||
      ['matrix', 'merge'].some((name) => hasClusters(fieldAt(entry, [name, 'generators']))),
  );
}
