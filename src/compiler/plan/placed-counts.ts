import type { AddOnPlan } from '../compare/add-on-plan.ts';
import type { ApplicationFate } from '../compare/application-change.ts';
import type { FollowerChange } from '../compare/placements/plan-followers.ts';

/** The numbers of which guardrails can limit a share. */
export interface PlacedCounts {
  /** The number of policies on clusters: one policy on three clusters counts as three. */
  readonly policies: number;
  /** The number of Applications of ApplicationSets. */
  readonly applications: number;
}

/** Returns the number of Applications of ApplicationSets to which something happens, on all clusters. */
export function applicationsWith(
  addOns: readonly Pick<AddOnPlan, 'groups'>[],
  fate: ApplicationFate,
): number {
  return addOns
    .flatMap(({ groups }) => groups)
    .flatMap(({ clusters, applications = [] }) =>
      applications.filter((each) => each.fate === fate).map(({ count }) => count * clusters.length),
    )
    .reduce((sum, count) => sum + count, 0);
}

/** The number of times that policies stop on clusters. A policy that is enforced and removed counts as removed. */
export interface StoppedPolicies {
  readonly removed: number;
  readonly unenforced: number;
}

/** Returns how often a cluster loses a policy, or no longer enforces it. */
export function stoppedPolicies(addOns: readonly Pick<AddOnPlan, 'kind' | 'groups'>[]): StoppedPolicies {
  let [removed, unenforced] = [0, 0];
  for (const { kind, groups } of addOns) {
    if (kind !== 'Policy') continue;
    for (const { effect, enforcement, clusters } of groups) {
      if (effect === 'uninstalled') removed += clusters.length;
      else if (enforcement === 'ends') unenforced += clusters.length;
    }
  }
  return { removed, unenforced };
}

/** Counts what is on clusters in the earlier state of an app. */
export function placedIn(followers: readonly FollowerChange[]): PlacedCounts {
  let [policies, applications] = [0, 0];
  for (const { kind, before, applicationsBefore = 0 } of followers) {
    if (kind === 'Policy') policies += before;
    applications += applicationsBefore;
  }
  return { policies, applications };
}

/** Adds up the counts of apps or hubs. */
export function placedBefore(counts: readonly PlacedCounts[]): { readonly placedBefore?: PlacedCounts } {
  const sum = (of: keyof PlacedCounts): number => counts.reduce((total, each) => total + each[of], 0);
  const [policies, applications] = [sum('policies'), sum('applications')];
  return policies + applications === 0 ? {} : { placedBefore: { policies, applications } };
}
