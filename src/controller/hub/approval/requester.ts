import { quoted } from './verdict.ts';
import type { CertificateSigningRequest } from './facts.ts';

/** The prefix of the users and groups of OCM's registration agents. */
export const agentPrefix = 'system:open-cluster-management:';

/** The group of the registration agents of all clusters. */
const allClusters = 'system:open-cluster-management:managed-clusters';

/**
 * The user of OCM's gRPC server on the API server, and the field in which it records the agent that it sends a
 * request for.
 */
export const grpcServer = {
  user: 'system:serviceaccount:open-cluster-management-hub:grpc-server-sa',
  userAnnotation: 'open-cluster-management.io/csr-user',
} as const;

/** The requesting agent, or the reason why it may not send the request. */
export type Requester = { readonly agent: string } | { readonly refused: string };

/** A name of an agent of a cluster: OCM accepts DNS names, and generates five letters and digits. */
const agentName = /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/;

/**
 * Returns the requester, which must be the registration agent of exactly this cluster. A prefix is not enough:
 * `cluster1` is the beginning of `cluster10`, and the agents of add-ons, which begin with the name of the cluster
 * `cluster`, are not one of these agents.
 */
export function readRequester(
  { spec: { username = '', groups = [] }, metadata }: CertificateSigningRequest,
  cluster: string,
  { allowGrpcServer }: { readonly allowGrpcServer: boolean },
): Requester {
  if (username === grpcServer.user && allowGrpcServer) {
    const user = metadata.annotations?.[grpcServer.userAnnotation] ?? '';
    const agent = agentOf(user, cluster);
    if (agent !== undefined) return { agent };
    return {
      refused: `the gRPC server asks for ${quoted(user)}, which is not the registration agent of ${cluster}`,
    };
  }
  const agent = agentOf(username, cluster);
  if (agent === undefined) {
    return { refused: `requested by ${quoted(username)}, which is not the registration agent of ${cluster}` };
  }
  const agentGroup = agentPrefix + cluster;
  if (!groups.includes(agentGroup)) {
    return { refused: `requested by ${quoted(username)}, which is not in the group ${agentGroup}` };
  }
  const foreign = groups.find(
    (group) => group.startsWith(agentPrefix) && group !== agentGroup && group !== allClusters,
  );
  if (foreign !== undefined) {
    return { refused: `requested by ${quoted(username)}, which is also in the group ${quoted(foreign)}` };
  }
  return { agent };
}

/** Returns the groups of a requester that decide, at most three, whatever their number and order: foreign ones exclude a requester. */
export function decisiveGroups(groups: readonly string[], cluster: string): readonly string[] {
  const own = [agentPrefix + cluster, allClusters];
  const foreign = groups.find((group) => group.startsWith(agentPrefix) && !own.includes(group));
  return [...own.filter((group) => groups.includes(group)), ...(foreign === undefined ? [] : [foreign])];
}

function agentOf(user: string, cluster: string): string | undefined {
  const prefix = `${agentPrefix}${cluster}:`;
  if (!user.startsWith(prefix)) return undefined;
  const agent = user.slice(prefix.length);
  return agentName.test(agent) ? agent : undefined;
}
