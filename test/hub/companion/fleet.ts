import type { PolicyRule } from '../../../constructs/companion-permissions.ts';
import { newCertificateRequest } from '../../../src/base/certificates/new-certificate-request.ts';
import { oids } from '../../../src/base/certificates/object-identifiers.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { authorityCertificate, authoritySecret } from '../../base/certificates/authorities.ts';
import { attribute, forge, inBase64, newKey } from '../../base/certificates/forged-request.ts';
import type { ApiClient, Impersonated } from '../client/api-client.ts';
import { namespaceKind, ocmKinds, reference, type KindOf } from '../client/kinds.ts';
import { untilAllowed } from './permissions.ts';
import { until } from './until.ts';

export const requestKind: KindOf = ['certificates.k8s.io/v1', 'CertificateSigningRequest'];
export const secretKind: KindOf = ['v1', 'Secret'];
export const kubeClient = 'kubernetes.io/kube-apiserver-client';

export const labels = {
  cluster: 'open-cluster-management.io/cluster-name',
  addOn: 'open-cluster-management.io/addon-name',
};

/** A managed cluster that nobody runs: there are only its objects on the hub, which accepts it and lets its agent in. */
export async function createCluster(client: ApiClient, name: string): Promise<void> {
  await client.apply({
    ...reference(ocmKinds.managedCluster, name),
    spec: { hubAcceptsClient: true, leaseDurationSeconds: 3600 },
  });
  await until(
    `the namespace of ${name}`,
    async () => (await client.get(...namespaceKind, name)) !== undefined,
  );
  // OCM's hub makes one role and binding after the other.
  const rule = (group: string, resource: string, verb: string): PolicyRule => ({
    apiGroups: [group],
    resources: [resource],
    verbs: [verb],
  });
  const agent = agentOf(name);
  await untilAllowed(client, agent, [rule('certificates.k8s.io', 'certificatesigningrequests', 'create')]);
  const onCluster = [
    rule('addon.open-cluster-management.io', 'managedclusteraddons/status', 'patch'),
    rule('work.open-cluster-management.io', 'manifestworks', 'patch'),
  ];
  await untilAllowed(client, agent, onCluster, name);
}

/** The registration agent of a cluster, as the API server knows it. */
export function agentOf(cluster: string): Impersonated {
  return {
    user: `system:open-cluster-management:${cluster}:agent1`,
    groups: [
      `system:open-cluster-management:${cluster}`,
      'system:open-cluster-management:managed-clusters',
      'system:authenticated',
    ],
  };
}

/** An add-on with compiled delivery and its template: access to the hub's API, and one signer. */
export async function createAddOn(
  client: ApiClient,
  name: string,
  {
    signerName,
    authority,
    clusterRoles = [],
    annotations = {},
  }: {
    readonly signerName: string;
    readonly authority: string;
    /** What its agents may do in the namespace of their cluster on the hub. @default nothing */
    readonly clusterRoles?: readonly string[];
    /** Annotations of its definition, in addition to those with which the companion manages it. */
    readonly annotations?: Readonly<Record<string, string>>;
  },
): Promise<void> {
  await client.apply({
    ...reference(ocmKinds.addOnTemplate, name),
    spec: {
      addonName: name,
      agentSpec: { workload: { manifests: [] } },
      registration: [
        {
          type: 'KubeClient',
          kubeClient: {
            hubPermissions: clusterRoles.map((clusterRoleName) => ({
              type: 'CurrentCluster',
              currentCluster: { clusterRoleName },
            })),
          },
        },
        {
          type: 'CustomSigner',
          customSigner: {
            signerName,
            signingCA: { name: authority, namespace: 'default' },
            subject: customSubject,
          },
        },
      ],
    },
  });
  const { apiVersion, kind } = reference(ocmKinds.clusterManagementAddOn, name);
  await client.apply({
    apiVersion,
    kind,
    metadata: {
      name,
      annotations: {
        'addon.open-cluster-management.io/lifecycle': 'self',
        'fleetwright.dev/delivery': 'compiled',
        'fleetwright.dev/default-template': name,
        ...annotations,
      },
    },
    spec: {},
  });
}

export const customSubject = { user: 'gateway', groups: ['readers', 'writers'], organizationUnit: ['edge'] };

export function ownGroup(cluster: string, addOn: string): string {
  return `system:open-cluster-management:cluster:${cluster}:addon:${addOn}`;
}

/** The subject that an add-on registers with the hub's API server. */
export function ownSubject(
  cluster: string,
  addOn: string,
): {
  readonly user: string;
  readonly groups: readonly string[];
} {
  const group = ownGroup(cluster, addOn);
  return {
    user: `${group}:agent:${addOn}-agent`,
    groups: [group, `system:open-cluster-management:addon:${addOn}`],
  };
}

/** Puts an add-on on a cluster, and waits until the companion has registered it. */
export async function installAddOn(client: ApiClient, cluster: string, addOn: string): Promise<void> {
  const onCluster = reference(ocmKinds.managedClusterAddOn, addOn, cluster);
  await client.apply({ ...onCluster, spec: {} });
  await until(`what ${addOn} registers on ${cluster}`, async () => {
    const found = await client.get(...ocmKinds.managedClusterAddOn, addOn, cluster);
    return JSON.stringify(found?.['status'] ?? {}).includes('"registrations"');
  });
}

/** A Secret with an authority, which signs certificates. */
export async function createAuthority(client: ApiClient, name: string, key = newKey()): Promise<string> {
  const certificate = authorityCertificate(key, { name });
  await client.apply({
    ...reference(secretKind, name, 'default'),
    type: 'kubernetes.io/tls',
    data: authoritySecret(key, certificate),
  });
  return certificate;
}

let counter = 0;

/** A name as the API server makes one up from the prefix of OCM's agents. */
export function generatedName(cluster: string, addOn: string): string {
  counter += 1;
  return `addon-${cluster}-${addOn}-${counter.toString(36).padStart(5, '0')}`;
}

/** Deletes the certificate requests that earlier tests left: a companion judges and counts those of every add-on. */
export async function deleteRequests(client: ApiClient): Promise<void> {
  const requests = await client.list(...requestKind);
  await Promise.all(requests.map(async (request) => await client.delete(request)));
}

/** A CertificateSigningRequest that is to be sent. */
export type RequestObject = KubernetesObject & { readonly metadata: { readonly name: string } };

/** The request of a cluster's agent for an add-on's access to the hub's API, except where it is said otherwise. */
export function goodRequest(
  cluster: string,
  addOn: string,
  spec: Readonly<Record<string, unknown>> = {},
): RequestObject {
  const { user, groups } = ownSubject(cluster, addOn);
  const pem = newCertificateRequest(newKey(), {
    subject: { commonName: user, organizations: groups, organizationalUnits: [] },
    dnsNames: [`${addOn}.addon.open-cluster-management.io`],
  });
  const [apiVersion, kind] = requestKind;
  return {
    apiVersion,
    kind,
    metadata: {
      name: generatedName(cluster, addOn),
      labels: { [labels.cluster]: cluster, [labels.addOn]: addOn },
    },
    spec: {
      request: Buffer.from(pem).toString('base64'),
      signerName: kubeClient,
      usages: ['digital signature', 'key encipherment', 'client auth'],
      ...spec,
    },
  };
}

/** OCM up to 1.2 accepts requests only with the group of all authenticated users. */
export function requestOfOldRelease(cluster: string, addOn: string): Readonly<Record<string, unknown>> {
  const { user, groups } = ownSubject(cluster, addOn);
  const subject = {
    commonName: user,
    organizations: [...groups, 'system:authenticated'],
    organizationalUnits: [],
  };
  return { request: Buffer.from(newCertificateRequest(newKey(), { subject })).toString('base64') };
}

/** The request of a cluster's agent for a certificate of a signer of the add-on's own. */
export function customRequest(
  cluster: string,
  addOn: string,
  spec: Readonly<Record<string, unknown>> & { readonly signerName: string },
): RequestObject {
  const der = forge({
    name: [
      customSubject.groups.map((group) => attribute(oids.organization, group)),
      customSubject.organizationUnit.map((unit) => attribute(oids.organizationalUnit, unit)),
      [attribute(oids.commonName, customSubject.user)],
    ],
  });
  return goodRequest(cluster, addOn, { request: inBase64(der), ...spec });
}
