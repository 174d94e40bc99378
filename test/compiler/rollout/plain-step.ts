import type { TrackedGroup } from '../../../src/compiler/rollout/decision-tracker.ts';
import { mandatoryGroups, reachableGroups } from '../../../src/compiler/rollout/decision-tracker.ts';
import type { ClusterProgress } from '../../../src/compiler/rollout/progress.ts';
import { sizeOf, type Size, type Strategy } from '../../../src/compiler/rollout/strategy/strategy.ts';

/** A step as sdk-go's RolloutHandler finds it, which looks at every cluster each time and remembers nothing. */
export interface PlainStep {
  readonly rolling: readonly string[];
  readonly timedOut: readonly string[];
  readonly breached: boolean;
}

type Standing = ClusterProgress['progress'] | 'TimeOut';

export function plainStep(
  strategy: Strategy,
  tracked: readonly TrackedGroup[],
  children: readonly ClusterProgress[],
  now: number,
): PlainStep {
  const { type, minSuccessTime, progressDeadline, maxFailures, maxConcurrency } = strategy;
  const all = reachableGroups(tracked);
  const clusters = all.flatMap((group) => group.clusters);
  const existing = children
    .filter(({ cluster }) => clusters.includes(cluster))
    .sort((a, b) => (a.cluster < b.cluster ? -1 : 1));
  const soak = type === 'All' ? 0 : minSuccessTime;

  function judge(
    { cluster, progress, since = now }: ClusterProgress,
    rolling: string[],
    timedOut: string[],
  ): Standing {
    if (progress === 'ToApply') rolling.push(cluster);
    else if (progress === 'Succeeded') {
      if (now < since + soak) rolling.push(cluster);
    } else if (now < since + Number(progressDeadline)) rolling.push(cluster);
    else {
      timedOut.push(cluster);
      return 'TimeOut';
    }
    return progress;
  }

  function byCluster(groups: readonly TrackedGroup[], places: number, limit: number): PlainStep {
    const rolling: string[] = [];
    const timedOut: string[] = [];
    let failures = 0;
    let breached = false;
    for (const child of existing) {
      let standing: Standing = child.progress;
      if (!breached || child.progress !== 'ToApply') standing = judge(child, rolling, timedOut);
      if (standing === 'TimeOut' || standing === 'Failed') breached = ++failures > limit;
      if (rolling.length >= places) return { rolling, timedOut, breached };
    }
    if (breached) return { rolling, timedOut, breached };
    for (const cluster of groups.flatMap((group) => group.clusters).sort()) {
      if (existing.some((child) => child.cluster === cluster)) continue;
      rolling.push(cluster);
      if (rolling.length >= places) break;
    }
    return { rolling, timedOut, breached };
  }

  function byGroup(groups: readonly TrackedGroup[], limit: Size): PlainStep {
    const rolling: string[] = [];
    const timedOut: string[] = [];
    const known = new Map<string, Standing>();
    for (const child of existing) {
      if (child.progress !== 'ToApply') known.set(child.cluster, judge(child, rolling, timedOut));
    }
    let total = 0;
    for (const group of groups) {
      let failures = 0;
      for (const cluster of group.clusters) {
        const standing = known.get(cluster);
        if (standing === undefined) rolling.push(cluster);
        if (standing === 'TimeOut' || standing === 'Failed') failures += 1;
      }
      total += failures;
      const breached = failures > Number(sizeOf(limit, group.clusters.length, 0));
      if (rolling.length - total > 0 || breached) return { rolling, timedOut, breached };
    }
    return { rolling, timedOut, breached: false };
  }

  if (type === 'All') return byCluster(all, clusters.length, clusters.length);
  const mandatory = mandatoryGroups(tracked, strategy);
  if (mandatory.length > 0) {
    const first = byGroup(mandatory, 0);
    if (first.rolling.length > 0 || first.timedOut.length > 0) return first;
  }
  const rest = all.filter((group) => !mandatory.includes(group));
  if (type === 'ProgressivePerGroup') return byGroup(rest, maxFailures);
  const remaining = rest.flatMap((group) => group.clusters).length;
  return byCluster(
    rest,
    Number(sizeOf(maxConcurrency, remaining, remaining)),
    Number(sizeOf(maxFailures, clusters.length, 0)),
  );
}
