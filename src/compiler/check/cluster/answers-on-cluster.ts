import type { Diagnostic } from '../../model/diagnostic.ts';
import type { RuleInput } from '../rule.ts';
import { deliveriesTo, hostingClusters, type Delivery } from './deliveries.ts';
import { clusterRules } from './index.ts';

/** What a cluster makes of a manifest: a finding without the count of clusters. */
export type AnswerOnCluster = Pick<Diagnostic, 'code' | 'severity' | 'message' | 'hint' | 'location'> & {
  /** The hosting cluster, if it answers in place of the managed cluster. */
  readonly hostingCluster?: string;
};

/**
 * Returns what a cluster, and in hosted mode its hosting cluster, answer to the manifests of an add-on, beside everything else that is
 * delivered to them.
 */
export function answersOnCluster(
  input: RuleInput,
  addOn: string,
  cluster: string,
): readonly AnswerOnCluster[] {
  const hosting = hostingClusters(addOn, input).get(cluster);
  const targets = new Set([cluster, ...(hosting === undefined ? [] : [hosting])]);
  const all = deliveriesTo(targets, input);
  return all.flatMap((delivery) => {
    if (delivery.addOn !== addOn) return [];
    const { hostedFor, clusters } = delivery;
    if (hostedFor === cluster)
      return answersTo(delivery, clusters, all, input).map((answer) => ({
        ...answer,
        ...(hosting !== undefined && { hostingCluster: hosting }),
      }));
    const isManaged = hostedFor === undefined && clusters.includes(cluster);
    return isManaged ? answersTo(delivery, [cluster], all, input) : [];
  });
}

/** Returns the findings about one delivery to some of its clusters, beside all others. */
function answersTo(
  asked: Delivery,
  clusters: readonly string[],
  all: readonly Delivery[],
  input: RuleInput,
): readonly AnswerOnCluster[] {
  const deliveries = all.flatMap((delivery): readonly Delivery[] => {
    if (delivery !== asked) return [{ ...delivery, isBeside: true }];
    const rest = delivery.clusters.filter((cluster) => !clusters.includes(cluster));
    return [
      { ...delivery, clusters, isRepeated: false },
      ...(rest.length === 0 ? [] : [{ ...delivery, clusters: rest, isBeside: true } as const]),
    ];
  });
  return clusterRules
    .flatMap(({ check }) => [...check({ ...input, deliveries })])
    .map(({ code, severity, message, hint, location }) => ({
      code,
      severity,
      message: message.replace(/ \(1 cluster\)$/, ''),
      ...(hint !== undefined && { hint }),
      ...(location !== undefined && { location }),
    }));
}
