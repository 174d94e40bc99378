import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { hostingClusterAnnotation } from '../../../ocm/hosted-mode.ts';
import type { ManagedClusterV1 } from '../../../../schemas/types.gen.ts';
import type { Code } from '../../model/codes.ts';
import { diagnostic } from '../../model/diagnostic.ts';
import type { Decisions } from '../../place/decision.ts';
import { pointAt } from '../../model/point-at.ts';
import { clusterCount } from '../../model/words.ts';
import type { Rule } from '../rule.ts';
import { hostedClusters, type HostedCluster } from '../../render/hosted-clusters.ts';

/** Reports hosting clusters of add-ons with compiled delivery that cannot run the works for them. */
export const hostingCluster: Rule = {
  codes: ['FW6040', 'FW6041'],
  *check({ configuration, decisions, inventory }) {
    for (const addOn of configuration.values()) {
      if (addOn.delivery !== 'compiled') continue;
      const faulty = new Map<string, { problem: Problem; hosted: HostedCluster; clusters: number }>();
      for (const hosted of hostedClusters(addOn, inventory)) {
        const problem = problemOf(hosted, decisions);
        if (problem === undefined) continue;
        const key = `${problem.code} ${hosted.hosting} ${problem.why}`;
        getOrInsertComputed(faulty, key, () => ({ problem, hosted, clusters: 0 })).clusters++;
      }
      for (const { problem, hosted, clusters } of faulty.values())
        yield diagnostic(problem.code, {
          message: `hosting cluster "${hosted.hosting}" of add-on "${addOn.name}" on ${clusterCount(clusters)} ${problem.why}`,
          ...pointAt(hosted.holder, ['metadata', 'annotations', hostingClusterAnnotation]),
          hint: problem.hint,
        });
    }
  },
};

interface Problem {
  readonly code: Code;
  readonly why: string;
  readonly hint: string;
}

function problemOf({ cluster, hosting }: HostedCluster, { clusters }: Decisions): Problem | undefined {
  const host = clusters.get(hosting);
  if (host === undefined)
    return {
      code: 'FW6040',
      why: 'is not in the fleet: no manifest for it is delivered, and the add-on never becomes available',
      hint: 'name a managed cluster of this hub, or remove the annotation',
    };
  if (hosting === cluster)
    return {
      code: 'FW6041',
      why: 'is the managed cluster itself: no work counts as one for a hosting cluster, and the add-on never becomes available',
      hint: 'remove the annotation: without it, all manifests are delivered to the managed cluster',
    };
  const idle = whyIdle(host);
  return idle && { code: 'FW6041', ...idle };
}

function whyIdle({ metadata, spec }: ManagedClusterV1): Omit<Problem, 'code'> | undefined {
  if (metadata.deletionTimestamp !== undefined)
    return { why: 'is being deleted: it gets no works any more', hint: 'name another managed cluster' };
  if (spec?.hubAcceptsClient !== true)
    return {
      why: 'is not accepted by the hub: its agent cannot read its works',
      hint: 'set spec.hubAcceptsClient of the ManagedCluster, or name another one',
    };
  return undefined;
}
