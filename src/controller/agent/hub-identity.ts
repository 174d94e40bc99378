import type { ApiClient } from '../../client/api-client.ts';
import { TerminalError } from '../../client/api-error.ts';
import type { ApiObject } from '../../client/object.ts';
import { clusterResource } from '../../client/resource.ts';

interface SelfSubjectReview extends ApiObject {
  readonly status?: { readonly userInfo?: { readonly username?: string } };
}

const selfSubjectReviews = {
  ...clusterResource<SelfSubjectReview>(
    'authentication.k8s.io/v1',
    'SelfSubjectReview',
    'selfsubjectreviews',
  ),
  isReview: true,
};

/**
 * Returns the name of the cluster's agent on the hub: certificates of registrations without a user end with it.
 * Requested once.
 *
 * @throws TerminalError if the kubeconfig belongs to another user: the hub would approve nothing.
 */
export function agentName(hub: ApiClient, cluster: string): (signal: AbortSignal) => Promise<string> {
  let identity: string | undefined;
  return async (signal) => {
    if (identity !== undefined) return identity;
    const { apiVersion, kind } = selfSubjectReviews;
    const review = await hub.create(selfSubjectReviews, { apiVersion, kind, metadata: {} }, { signal });
    const user = review.status?.userInfo?.username;
    if (typeof user !== 'string') throw new Error('the hub did not return the user of the kubeconfig');
    const prefix = `system:open-cluster-management:${cluster}:`;
    if (!user.startsWith(prefix))
      throw new TerminalError(
        `the hub kubeconfig is of user "${user}", not of the agent of cluster "${cluster}"`,
      );
    return (identity = user.slice(prefix.length));
  };
}
