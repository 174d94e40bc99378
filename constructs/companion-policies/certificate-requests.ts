import { agentUser, sameMetadata, textOf, type ConfinedCompanion, type PolicyContent } from './policy.ts';
import { requestedIdentity } from './requested-identity.ts';
import { agentPrefix } from '../../src/ocm/agent-identity.ts';
import { apiServerSigner } from '../../src/ocm/signers.ts';
import { addOnNameLabel, clusterNameLabel } from '../../src/ocm/labels.ts';

const grpcServer = 'system:serviceaccount:open-cluster-management-hub:grpc-server-sa';
const isGrpcServer = `oldObject.spec.username == '${grpcServer}'`;
const clusterGroup = `'${agentPrefix}' + variables.cluster`;
const groups = 'oldObject.spec.?groups.orValue([])';

/** The agent of the cluster, as the companion reads it: one name behind that of the cluster. */
const isAgent = [
  'variables.agent.startsWith(variables.agentPrefix)',
  "variables.agent.substring(variables.agentPrefix.size()).matches('^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$')",
].join(' && ');
const isOfItsGroup = `(${clusterGroup} in ${groups} && ${groups}.all(group, !group.startsWith('${agentPrefix}') || group in [${clusterGroup}, '${agentPrefix}managed-clusters']))`;

/** The approval of certificate requests, and certificates of own signers. What they are compared with cannot change by then. */
export function certificateRequests({ signers, trustGrpcServer }: ConfinedCompanion): PolicyContent {
  return {
    group: 'certificates.k8s.io',
    version: 'v1',
    resources: ['certificatesigningrequests/approval', 'certificatesigningrequests/status'],
    operations: ['UPDATE'],
    variables: {
      cluster: textOf('oldObject', 'labels', clusterNameLabel),
      addOn: textOf('oldObject', 'labels', addOnNameLabel),
      agent: trustGrpcServer
        ? `${isGrpcServer} ? ${textOf('oldObject', 'annotations', 'open-cluster-management.io/csr-user')} : oldObject.spec.username`
        : 'oldObject.spec.username',
      agentPrefix: `${clusterGroup} + ':'`,
      // Kubernetes cuts the prefix of a generated name.
      wholePrefix: "'addon-' + variables.cluster + '-' + variables.addOn + '-'",
      namePrefix:
        'variables.wholePrefix.size() > 58 ? variables.wholePrefix.substring(0, 58) : variables.wholePrefix',
      ...requestedIdentity('oldObject.spec.request', {
        commonName: agentUser('variables.cluster', 'variables.addOn'),
        organizations: [
          `'${agentPrefix}cluster:' + variables.cluster + ':addon:' + variables.addOn`,
          `'${agentPrefix}addon:' + variables.addOn`,
          "'system:authenticated'",
        ],
      }),
    },
    checks: {
      'labels and annotations of a certificate request stay as they are': sameMetadata,
      'a certificate request has the labels and the name of its add-on and cluster':
        "variables.cluster != '' && variables.addOn != '' && oldObject.metadata.name.startsWith(variables.namePrefix) && oldObject.metadata.name.substring(variables.namePrefix.size()).matches('^[a-z0-9]+$')",
      'a certificate is for the agent of the cluster that requests it': `${isAgent} && ${trustGrpcServer ? `(${isGrpcServer} || ${isOfItsGroup})` : isOfItsGroup}`,
      'a certificate is for a client':
        "oldObject.spec.usages.all(usage, usage in ['client auth', 'digital signature', 'key encipherment']) && ['client auth', 'digital signature'].all(usage, usage in oldObject.spec.usages)",
      "a certificate for the hub's API server is for the add-on's own user": `oldObject.spec.signerName != '${apiServerSigner}' || variables.isExpectedIdentity`,
      'certificates are signed for approved requests of the signers of add-ons': `request.subResource != 'status' || (oldObject.spec.signerName in ${JSON.stringify(signers)} && oldObject.?status.conditions.orValue([]).exists(condition, condition.type == 'Approved'))`,
    },
  };
}
