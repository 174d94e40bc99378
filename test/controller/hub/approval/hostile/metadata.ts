import type { TableRequest, Target } from './hostile-request.ts';
import { clusterNameLabel, addOnNameLabel } from '../../../../../src/ocm/labels.ts';

/** Requests with names that are not those of the add-on on the cluster. */
export function names({ cluster, addOn, neighbor }: Target): readonly TableRequest[] {
  const own = `addon-${cluster}-${addOn}-`;
  const taken: Readonly<Record<string, string>> = {
    'nothing behind the add-on': own.slice(0, -1),
    'only its prefix': `${own}-`,
    'a dash behind its prefix': `${own}a-b`,
    'a dot behind its prefix': `${own}a.b`,
    'its prefix without the dash': `${own.slice(0, -1)}x7k2p`,
    'another add-on that begins like it': `${own.slice(0, -1)}2-x7k2p`,
    'the cluster that begins like its own': `addon-${neighbor}-${addOn}-x7k2p`,
    'the cluster alone': `addon-${cluster}-x7k2p`,
    'the add-on alone': `addon-${addOn}-x7k2p`,
    'cluster and add-on swapped': `addon-${addOn}-${cluster}-x7k2p`,
    'something before it': `x-${own}x7k2p`,
    'its prefix twice': `${own}${own}x7k2p`,
    'the prefix of cluster requests': `${cluster}-x7k2p`,
    'two hundred characters and a dash': `${own}${'a'.repeat(200)}-b`,
    'capitals behind its prefix': `${own}X7K2P`,
    'a letter of another alphabet': `${own}x7k2\u0440`,
    'digits of another alphabet': `${own}x7k2\u0663`,
    'a space behind it': `${own}x7k2p `,
    'a line feed behind it': `${own}x7k2p\n`,
    'a NUL behind it': `${own}x7k2p\0`,
  };
  const notTaken: Readonly<Record<string, string>> = { 'a path in it': `${own}../x7k2p`, nothing: '' };
  return [
    ...Object.entries(taken).map(([name, text]) => named(name, text)),
    ...Object.entries(notTaken).map(([name, text]) => ({
      ...named(name, text),
      onHub: 'not taken' as const,
    })),
  ];
}

function named(name: string, text: string): TableRequest {
  return { name: `a name: ${name}`, metadata: { name: text }, refusedBy: 'name' };
}

/** Requests whose labels do not say whose they are. */
export function labeled({ cluster, addOn, neighbor }: Target): readonly TableRequest[] {
  const of = (found: Readonly<Record<string, string>>): { readonly labels: typeof found } => ({
    labels: found,
  });
  return [
    {
      name: 'labels: an empty cluster',
      metadata: of({ [clusterNameLabel]: '', [addOnNameLabel]: addOn }),
      refusedBy: 'labels',
      onHub: 'left alone',
    },
    {
      name: 'labels: an empty add-on',
      metadata: of({ [clusterNameLabel]: cluster, [addOnNameLabel]: '' }),
      refusedBy: 'labels',
      onHub: 'left alone',
    },
    {
      name: 'labels: keys in capitals',
      metadata: of({
        [clusterNameLabel.replace('cluster-name', 'Cluster-Name')]: cluster,
        [addOnNameLabel]: addOn,
      }),
      refusedBy: 'labels',
      onHub: 'left alone',
    },
    {
      name: 'labels: keys of OCM’s addon group',
      metadata: of({ [`addon.${clusterNameLabel}`]: cluster, [`addon.${addOnNameLabel}`]: addOn }),
      refusedBy: 'labels',
      onHub: 'left alone',
    },
    {
      name: 'labels: the cluster that begins like its own',
      metadata: of({ [clusterNameLabel]: neighbor, [addOnNameLabel]: addOn }),
      refusedBy: 'name',
    },
    {
      name: 'labels: annotations instead of labels',
      metadata: { labels: {}, annotations: { [clusterNameLabel]: cluster, [addOnNameLabel]: addOn } },
      refusedBy: 'labels',
      onHub: 'left alone',
    },
    {
      name: 'labels: a cluster in capitals',
      metadata: of({ [clusterNameLabel]: cluster.toUpperCase(), [addOnNameLabel]: addOn }),
      refusedBy: 'name',
    },
    {
      name: 'labels: an add-on in capitals',
      metadata: of({ [clusterNameLabel]: cluster, [addOnNameLabel]: addOn.toUpperCase() }),
      refusedBy: 'name',
      onHub: 'left alone',
    },
    {
      name: 'labels: a cluster with a space behind it',
      metadata: of({ [clusterNameLabel]: `${cluster} `, [addOnNameLabel]: addOn }),
      refusedBy: 'name',
      onHub: 'not taken',
    },
    {
      name: 'labels: a cluster with a letter of another alphabet',
      metadata: of({ [clusterNameLabel]: `\u0441${cluster.slice(1)}`, [addOnNameLabel]: addOn }),
      refusedBy: 'name',
      onHub: 'not taken',
    },
    {
      name: 'labels: a path instead of a cluster',
      metadata: of({ [clusterNameLabel]: `../${cluster}`, [addOnNameLabel]: addOn }),
      refusedBy: 'name',
      onHub: 'not taken',
    },
    {
      name: 'labels: further labels and annotations, which nobody reads',
      metadata: {
        labels: { [clusterNameLabel]: cluster, [addOnNameLabel]: addOn, approve: 'true' },
        annotations: { 'open-cluster-management.io/csr-user': 'system:admin', a: 'b'.repeat(10_000) },
      },
      refusedBy: 'none',
    },
  ];
}

/** Signers that the add-on does not register, most of them by a hair. */
export function signers({ signer }: Target): readonly TableRequest[] {
  const kubernetes = 'kubernetes.io/kube-apiserver-client';
  const taken = [
    'kubernetes.io/kube-apiserver-client-kubelet',
    'kubernetes.io/kubelet-serving',
    'k8s.io/kube-apiserver-client',
    'sub.kubernetes.io/kube-apiserver-client',
    'kubernetes.io.example.com/kube-apiserver-client',
    'xkubernetes.io/kube-apiserver-client',
    `${kubernetes}-x`,
    `${kubernetes}.x`,
    `${signer}-2`,
    `x.${signer}`,
    `${signer}.x`,
    'open-cluster-management.io/grpc',
  ];
  const notTaken = [
    'kubernetes.io/legacy-unknown',
    'Kubernetes.io/kube-apiserver-client',
    'kubernetes.io',
    'kubernetes.io/',
    '/kube-apiserver-client',
    `${kubernetes}/`,
    `${kubernetes} `,
    ` ${kubernetes}`,
    `${kubernetes}\n`,
    'kubernetes.io/kube\u2010apiserver\u2010client',
    `${signer}/x`,
    '',
  ];
  const of = (signerName: string): TableRequest => ({
    name: `a signer: ${JSON.stringify(signerName)}`,
    spec: { signerName },
    refusedBy: 'signer',
  });
  return [
    ...taken.map(of),
    ...notTaken.map((signerName) => ({ ...of(signerName), onHub: 'not taken' as const })),
    {
      name: 'a signer: in capitals',
      spec: { signerName: signer.toUpperCase() },
      refusedBy: 'signer',
      onHub: 'not taken',
    },
  ];
}

/** Users that are not the registration agent of the cluster. */
export function requesters({ cluster, addOn, neighbor }: Target): readonly TableRequest[] {
  const prefix = 'system:open-cluster-management:';
  const group = prefix + cluster;
  const own = [group, `${prefix}managed-clusters`, 'system:authenticated'];
  const users: Readonly<Record<string, string>> = {
    'of the cluster that begins like it': `${prefix}${neighbor}:agent1`,
    'of the cluster without its last letter': `${prefix}${cluster.slice(0, -1)}:agent1`,
    'the cluster alone': group,
    'no agent behind the colon': `${group}:`,
    'two colons': `${group}::agent1`,
    'two agents': `${group}:agent1:agent2`,
    'an agent in capitals': `${group}:Agent1`,
    'an agent that begins with a dash': `${group}:-agent1`,
    'an agent that ends with a dot': `${group}:agent1.`,
    'an agent with an underline': `${group}:agent_1`,
    'an agent with a slash': `${group}:agent/1`,
    'an agent with a wildcard': `${group}:*`,
    'an agent of 254 characters': `${group}:${'a'.repeat(254)}`,
    'a letter of another alphabet in the cluster': `${prefix}\u0441${cluster.slice(1)}:agent1`,
    'an invisible letter in the cluster': `${prefix}${cluster}\u200b:agent1`,
    'a letter written from right to left': `${group}:\u202eagent1`,
    'a combining letter': `${group}:agent1\u0301`,
    'another prefix': `open-cluster-management:${cluster}:agent1`,
    'the prefix in capitals': `${group.toUpperCase()}:agent1`,
    'a bootstrap user': `${prefix}bootstrap`,
    'a ServiceAccount of the namespace of the cluster': `system:serviceaccount:${cluster}:agent1`,
    'the add-on': identity(cluster, addOn),
    'the add-on on the other cluster': identity(neighbor, addOn),
    "OCM's gRPC server": 'system:serviceaccount:open-cluster-management-hub:grpc-server-sa',
    'the companion itself': 'system:serviceaccount:fleetwright:fleetwright-controller',
    'a node': 'system:node:a',
    'nobody known': 'system:anonymous',
  };
  const groups: Readonly<Record<string, readonly string[]>> = {
    'no group': [],
    'the group of all clusters alone': [`${prefix}managed-clusters`],
    'the group of another cluster': [`${prefix}${neighbor}`],
    'the groups of two clusters': [...own, `${prefix}${neighbor}`],
    'the group of an add-on as well': [...own, `${prefix}addon:${addOn}`],
    'the group of the add-on on the cluster as well': [...own, `${prefix}cluster:${cluster}:addon:${addOn}`],
    'the group in capitals': [group.toUpperCase()],
    administrators: ['system:masters'],
  };
  return [
    ...Object.entries(users).map(([name, user]) => ({
      name: `requested by ${name}`,
      requester: { user, groups: own },
      refusedBy: 'requester' as const,
    })),
    ...Object.entries(groups).map(([name, found]) => ({
      name: `requested in ${name}`,
      requester: { user: `${group}:agent1`, groups: found },
      refusedBy: 'requester' as const,
    })),
    {
      name: 'requested by an agent with a space before it',
      requester: { user: ` ${group}:agent1`, groups: own },
      refusedBy: 'requester',
      onHub: 'not sent',
    },
    {
      name: 'requested in the group with a space behind it',
      requester: { user: `${group}:agent1`, groups: [`${group} `] },
      refusedBy: 'requester',
      onHub: 'not sent',
    },
    {
      name: 'requested in groups of others than OCM as well',
      requester: { user: `${group}:agent1`, groups: [...own, 'example.com:operators'] },
      refusedBy: 'none',
    },
    {
      name: 'requested by an agent with a long name',
      requester: { user: `${group}:${'a'.repeat(253)}`, groups: own },
      refusedBy: 'none',
    },
  ];
}

function identity(cluster: string, addOn: string): string {
  return `system:open-cluster-management:cluster:${cluster}:addon:${addOn}:agent:${addOn}-agent`;
}

/** Usages and lifetimes that no certificate of a client has. */
export function usagesAndLifetimes(): readonly TableRequest[] {
  const base = ['client auth', 'digital signature'];
  const further = [
    'signing',
    'content commitment',
    'key agreement',
    'data encipherment',
    'cert sign',
    'crl sign',
    'encipher only',
    'decipher only',
    'any',
    'server auth',
    'code signing',
    'email protection',
    's/mime',
    'ipsec end system',
    'ipsec tunnel',
    'ipsec user',
    'timestamping',
    'ocsp signing',
    'microsoft sgc',
    'netscape sgc',
  ];
  const lists: Readonly<Record<string, readonly string[]>> = {
    'client auth alone': ['client auth'],
    'key encipherment alone': ['key encipherment'],
    'server auth instead': ['server auth', 'digital signature', 'key encipherment'],
  };
  const notTaken: Readonly<Record<string, readonly string[]>> = {
    none: [],
    'client auth twice': [...base, 'client auth'],
    'client auth in capitals': ['Client Auth', 'digital signature'],
    'client auth with a space': ['client auth ', 'digital signature'],
    'client auth with a dash': ['client-auth', 'digital signature'],
    'one that nobody knows': [...base, 'world domination'],
  };
  const usages = (name: string, list: readonly string[]): TableRequest => ({
    name: `usages: ${name}`,
    spec: { usages: list },
    refusedBy: 'usages',
  });
  const lifetime = (expirationSeconds: number): TableRequest => ({
    name: `a lifetime of ${expirationSeconds} s`,
    spec: { expirationSeconds },
    refusedBy: 'expiration',
  });
  return [
    ...further.map((usage) => usages(`${usage} as well`, [...base, usage])),
    ...Object.entries(lists).map(([name, list]) => usages(name, list)),
    ...Object.entries(notTaken).map(([name, list]) => ({
      ...usages(name, list),
      onHub: 'not taken' as const,
    })),
    ...[2_147_483_647, 100_000_000].map(lifetime),
    ...[599, 0, -1, -31_536_000, 3600.5, 1e300, Number.MAX_SAFE_INTEGER].map((seconds) => ({
      ...lifetime(seconds),
      onHub: 'not taken' as const,
    })),
    { name: 'a lifetime of ten minutes', spec: { expirationSeconds: 600 }, refusedBy: 'none' },
  ];
}
