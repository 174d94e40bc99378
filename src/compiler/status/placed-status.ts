import { compareUtf8 } from '../../base/json/go-json.ts';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { applicationGenerator } from '../application-sets/generate-applications.ts';
import { placedByCluster } from '../application-sets/placed-by-cluster.ts';
import { isOfKind, namespaceOf } from '../api/placement-references.ts';
import { objectKey } from '../model/inventory.ts';
import type { Resolution } from '../resolve.ts';

/** The copy of a Policy in the namespace of a cluster on the hub, which governance-policy-propagator makes. */
export interface PolicyCopy {
  /** `namespace/name` of the Policy. */
  readonly policy: string;
  readonly cluster: string;
  /** `spec.remediationAction`. Absent if the templates of the Policy decide. */
  readonly remediationAction?: string;
  /** `status.compliant`, in the words of the cluster's controllers. Absent until the cluster reports it. */
  readonly compliance?: string;
}

/** An Application on the hub that an ApplicationSet owns. */
export interface OwnedApplication {
  /** `namespace/name`. */
  readonly name: string;
  /** `namespace/name` of the ApplicationSet. */
  readonly applicationSet: string;
}

/** What controllers on the hub have made of the decisions of Placements. Absent if the hub was not asked for it. */
export interface PlacedOnHub {
  readonly policies?: readonly PolicyCopy[];
  readonly applications?: readonly OwnedApplication[];
}

/** A Policy that is not on the predicted clusters, or that clusters do not comply with. All lists are sorted by name. */
export interface PolicyStatus {
  /** `namespace/name`. */
  readonly policy: string;
  /** The predicted clusters that the hub has no copy for. */
  readonly missing: readonly string[];
  /** The clusters that the hub has a copy for, and that are not predicted. */
  readonly unexpected: readonly string[];
  /** The clusters with another remediationAction than predicted. */
  readonly different: readonly string[];
  /** The predicted clusters that report NonCompliant. */
  readonly nonCompliant: readonly string[];
}

/** An ApplicationSet whose Applications on the hub are not those that are predicted. Both lists are sorted. */
export interface ApplicationSetStatus {
  /** `namespace/name`. */
  readonly applicationSet: string;
  /** The names of predicted Applications that the hub does not have. */
  readonly missing: readonly string[];
  /** The names of Applications that the ApplicationSet owns on the hub, and that are not predicted. */
  readonly unexpected: readonly string[];
}

/** What Placements decide besides add-ons, where the hub is not as predicted. */
export interface PlacedStatus {
  /** By name. */
  readonly policies: readonly PolicyStatus[];
  /** By name. */
  readonly applicationSets: readonly ApplicationSetStatus[];
  /** ApplicationSets whose Applications cannot be predicted, by name, with the reason. */
  readonly notCompared: readonly { readonly applicationSet: string; readonly reason: string }[];
}

type Placed = Pick<Resolution, 'inventory' | 'decisions'>;

/** Compares the Policies and ApplicationSets of a state with what controllers on the hub have made of them. */
export function placedStatus(resolution: Placed, onHub: PlacedOnHub): PlacedStatus {
  const { policies, applications } = onHub;
  return {
    policies: policies === undefined ? [] : policyStatuses(resolution, policies),
    ...(applications === undefined
      ? { applicationSets: [], notCompared: [] }
      : applicationSetStatuses(resolution, applications)),
  };
}

/** Whether the hub is as predicted. Clusters that do not comply with a Policy have what is predicted. */
export function isPlacedAsPredicted({ policies, applicationSets }: PlacedStatus): boolean {
  return applicationSets.length === 0 && policies.every(isPolicyAsPredicted);
}

/** Whether a Policy is on the predicted clusters, with the predicted remediationAction. */
export function isPolicyAsPredicted({ missing, unexpected, different }: PolicyStatus): boolean {
  return missing.length + unexpected.length + different.length === 0;
}

function policyStatuses(resolution: Placed, copies: readonly PolicyCopy[]): readonly PolicyStatus[] {
  const predicted = new Map(
    placedByCluster(resolution).policies.map(({ policy, placed }) => [policy.name, placed]),
  );
  const copiesOf = new Map<string, Map<string, PolicyCopy>>();
  for (const copy of copies)
    getOrInsertComputed(copiesOf, copy.policy, () => new Map<string, PolicyCopy>()).set(copy.cluster, copy);
  return resolution.inventory.others
    .filter((admitted) => isOfKind(admitted, 'policy.open-cluster-management.io', 'Policy'))
    .map((admitted): PolicyStatus => {
      const policy = objectKey(namespaceOf(admitted), admitted.object.metadata.name ?? '');
      const placed = predicted.get(policy) ?? new Map<string, { readonly remediationAction?: string }>();
      const onHub = copiesOf.get(policy) ?? new Map<string, PolicyCopy>();
      const both = [...placed.keys()].filter((cluster) => onHub.has(cluster));
      const actionOf = (of: { readonly remediationAction?: string } | undefined): string | undefined =>
        of?.remediationAction?.toLowerCase();
      return {
        policy,
        missing: sorted([...placed.keys()].filter((cluster) => !onHub.has(cluster))),
        unexpected: sorted([...onHub.keys()].filter((cluster) => !placed.has(cluster))),
        different: sorted(
          both.filter((cluster) => actionOf(placed.get(cluster)) !== actionOf(onHub.get(cluster))),
        ),
        nonCompliant: sorted(both.filter((cluster) => onHub.get(cluster)?.compliance === 'NonCompliant')),
      };
    })
    .filter(({ missing, unexpected, different, nonCompliant }) =>
      [missing, unexpected, different, nonCompliant].some(({ length }) => length > 0),
    )
    .sort((a, b) => compareUtf8(a.policy, b.policy));
}

function applicationSetStatuses(
  resolution: Placed,
  applications: readonly OwnedApplication[],
): Pick<PlacedStatus, 'applicationSets' | 'notCompared'> {
  const generator = applicationGenerator(resolution);
  const owned = new Map<string, Set<string>>();
  for (const { name, applicationSet } of applications)
    getOrInsertComputed(owned, applicationSet, () => new Set<string>()).add(name);
  const statuses: ApplicationSetStatus[] = [];
  const notCompared: PlacedStatus['notCompared'][number][] = [];
  for (const holder of generator.sets()) {
    const generation = generator.generate(holder);
    const namespace = namespaceOf(holder);
    const applicationSet = objectKey(namespace, holder.object.metadata.name ?? '');
    const { unanswered, error } = generation;
    // Argo CD keeps what it cannot judge.
    if (unanswered !== undefined || error !== undefined) {
      const reason = error ?? `${unanswered} is not evaluated`;
      notCompared.push({ applicationSet, reason });
      continue;
    }
    const predicted = new Set(generation.applications.map(({ name }) => objectKey(namespace, name)));
    const present = owned.get(applicationSet) ?? new Set<string>();
    const missing = sorted([...predicted].filter((name) => !present.has(name)));
    const keeps = generation.deletesNothing === true;
    const unexpected = sorted(
      [...present].filter((name) => !predicted.has(name) && !keeps && !generation.invalid.has(nameIn(name))),
    );
    if (missing.length + unexpected.length > 0) statuses.push({ applicationSet, missing, unexpected });
  }
  const byName = (a: { readonly applicationSet: string }, b: { readonly applicationSet: string }): number =>
    compareUtf8(a.applicationSet, b.applicationSet);
  return { applicationSets: statuses.sort(byName), notCompared: notCompared.sort(byName) };
}

function nameIn(key: string): string {
  return key.slice(key.indexOf('/') + 1);
}

function sorted(names: readonly string[]): readonly string[] {
  return names.toSorted(compareUtf8);
}
