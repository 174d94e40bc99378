import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newCertificateRequest } from '../../src/base/certificates/new-certificate-request.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { authorityCertificate } from '../base/certificates/authorities.ts';
import { newKey } from '../base/certificates/forged-request.ts';
import { ApiClient } from './client/api-client.ts';
import { connect } from './client/hub.ts';
import { readAccess } from './client/kubeconfig.ts';
import {
  namespaceKind,
  ocmKinds,
  reference,
  role,
  roleBinding,
  serviceAccount,
  type KindOf,
} from './client/kinds.ts';
import { sharedHub } from './client/shared-hub.ts';
import { answerTo } from './companion/answer.ts';
import { companionNamespace, confinedKubeconfig } from './companion/confined-companion.ts';
import {
  agentOf,
  createAddOn,
  createAuthority,
  createCluster,
  goodRequest,
  installAddOn,
  secretKind,
} from './companion/fleet.ts';
import { startCompanion, type RunningCompanion } from './companion/running-companion.ts';

// Somebody has stolen the token of the companion's ServiceAccount, and tries to get further: to other identities, other clusters,
// secrets, permissions, and what confines the token. The files on policies test each policy; this one tests the whole.

const { kubeconfig, versions } = await sharedHub();
const hub = connect({ kubeconfig, versions });
const name = 'stolen';
const [cluster, other, addOn, signer] = ['stolen1', 'stolen2', 'stolen-hello', 'stolen.example.com/hello'];
const rbac = 'rbac.authorization.k8s.io/v1';
const clusterRole: KindOf = [rbac, 'ClusterRole'];
const clusterRoleBinding: KindOf = [rbac, 'ClusterRoleBinding'];
const lease: KindOf = ['coordination.k8s.io/v1', 'Lease'];
const policy: KindOf = ['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy'];
const policyBinding: KindOf = ['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding'];
const webhook: KindOf = ['admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration'];
const accessReview: KindOf = ['authorization.k8s.io/v1', 'SelfSubjectAccessReview'];
const account = `system:serviceaccount:${companionNamespace}:${name}`;
const signingCA = { name: 'stolen-authority', namespace: 'default' };

let token: ApiClient;
let companion: RunningCompanion;

beforeAll(async () => {
  await createAuthority(hub.client, signingCA.name);
  await createAuthority(hub.client, 'stolen-other');
  await createAddOn(hub.client, addOn, { signerName: signer, authority: signingCA.name });
  for (const each of [cluster, other]) await createCluster(hub.client, each);
  const confined = await confinedKubeconfig(hub.client, kubeconfig, name, {
    grants: [{ kind: 'ClusterRole', name: 'view' }],
    signers: [{ signerName: signer, signingCA }],
  });
  token = new ApiClient(readAccess(confined));
  companion = startCompanion(confined);
  for (const each of [cluster, other]) await installAddOn(hub.client, each, addOn);
  await companion.stop();
  await hub.client.apply({
    ...reference(ocmKinds.manifestWork, 'victim', cluster),
    spec: { workload: { manifests: [reference(['v1', 'ConfigMap'], 'victim', 'default')] } },
  });
}, 300_000);

afterAll(async () => {
  for (const each of [cluster, other]) await hub.client.delete(reference(ocmKinds.managedCluster, each));
  token.close();
  hub.close();
});

const answer = async (request: Promise<unknown>): Promise<string> => await answerTo(name, request);
const forbidden = /forbidden|cannot (?:create|get|list|patch|update|delete|impersonate)|not allowed/i;
const admin = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
const subjects = [{ kind: 'ServiceAccount', name, namespace: companionNamespace }];
const everything = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
const at = (kind: KindOf, object: string, namespace?: string): KubernetesObject =>
  reference(kind, object, namespace);

describe('RBAC refuses', () => {
  const attempts: Readonly<Record<string, () => Promise<unknown>>> = {
    // Other identities.
    'a token of its own ServiceAccount, with which a theft would last': async () =>
      await token.createToken(at(serviceAccount, name, companionNamespace)),
    'a token of another ServiceAccount': async () =>
      await token.createToken(at(serviceAccount, 'default', 'kube-system')),
    'a Secret with a token of a ServiceAccount': async () =>
      await token.create({
        ...at(secretKind, 'lasting', companionNamespace),
        type: 'kubernetes.io/service-account-token',
        metadata: {
          name: 'lasting',
          namespace: companionNamespace,
          annotations: { 'kubernetes.io/service-account.name': name },
        },
      }),
    'a ServiceAccount': async () => await token.create(at(serviceAccount, 'more', companionNamespace)),
    'a certificate request of its own': async () => await token.create(goodRequest(cluster, addOn)),
    'a Pod with the ServiceAccount of another program': async () =>
      await token.create({
        ...at(['v1', 'Pod'], 'more', 'kube-system'),
        spec: { containers: [{ name: 'a', image: 'a' }] },
      }),
    'to be an administrator': async () =>
      await token.as({ user: 'admin', groups: ['system:masters'] }).list(...namespaceKind),
    'to be the agent of a cluster': async () => await token.as(agentOf(cluster)).list(...namespaceKind),
    'to be another ServiceAccount': async () =>
      await token
        .as({ user: 'system:serviceaccount:kube-system:default', groups: [] })
        .list(...namespaceKind),
    // Secrets.
    'all Secrets': async () => await token.list(...secretKind),
    'the Secrets of its namespace': async () => await token.list(...secretKind, companionNamespace),
    'the Secrets of a cluster': async () => await token.list(...secretKind, cluster),
    'an authority that is not one of its signers': async () =>
      await token.get(...secretKind, 'stolen-other', 'default'),
    'to change the authority of a signer': async () =>
      await token.merge(at(secretKind, signingCA.name, signingCA.namespace), { data: {} }),
    ConfigMaps: async () => await token.list('v1', 'ConfigMap', 'kube-system'),
    // Permissions.
    'to make itself an administrator': async () =>
      await token.create({ ...at(clusterRoleBinding, 'more'), roleRef: admin, subjects }),
    'a ClusterRole for everything': async () =>
      await token.create({ ...at(clusterRole, 'more'), rules: everything }),
    'to widen its own ClusterRole': async () =>
      await token.merge(at(clusterRole, name), { rules: everything }),
    'to widen a role of its grants': async () =>
      await token.merge(at(clusterRole, 'view'), { rules: everything }),
    'a Role for everything in its namespace': async () =>
      await token.create({ ...at(role, 'more', companionNamespace), rules: everything }),
    'to bind cluster-admin in a namespace': async () =>
      await token.create({ ...at(roleBinding, 'more', companionNamespace), roleRef: admin, subjects }),
    // What confines it.
    'to delete an admission policy': async () => await token.delete(at(policy, `${name}-leases`)),
    'to weaken an admission policy': async () =>
      await token.merge(at(policy, `${name}-certificate-requests`), { spec: { validations: [] } }),
    'to unbind an admission policy': async () => await token.delete(at(policyBinding, `${name}-leases`)),
    'a webhook that reads and changes all requests': async () => await token.create(at(webhook, 'more')),
    // Leases, clusters and add-ons.
    'a Lease of a component of Kubernetes': async () =>
      await token.create(at(lease, 'kube-controller-manager', 'kube-system')),
    'the Lease of an add-on on a cluster': async () => await token.create(at(lease, addOn, cluster)),
    'to accept a cluster': async () =>
      await token.merge(at(ocmKinds.managedCluster, cluster), { spec: { hubAcceptsClient: true } }),
    'to change labels of a cluster, which select add-ons': async () =>
      await token.merge(at(ocmKinds.managedCluster, cluster), { metadata: { labels: { a: 'b' } } }),
    'to create a cluster': async () => await token.create(at(ocmKinds.managedCluster, 'stolen3')),
    'to change an add-on': async () =>
      await token.merge(at(ocmKinds.clusterManagementAddOn, addOn), {
        metadata: { annotations: { a: 'b' } },
      }),
    'to change what a template deploys and registers': async () =>
      await token.merge(at(ocmKinds.addOnTemplate, addOn), { spec: { registration: [] } }),
    'to install an add-on': async () => await token.create(at(ocmKinds.managedClusterAddOn, 'more', cluster)),
    'a work': async () => await token.create({ ...at(ocmKinds.manifestWork, 'more', cluster), spec: {} }),
    'to delete a namespace': async () => await token.delete(at(namespaceKind, cluster)),
    'a certificate request to be deleted': async () => {
      const request = goodRequest(cluster, addOn);
      await hub.client.create(request);
      await token.delete(request);
    },
  };

  test.each(Object.keys(attempts))('%s', async (attempt) => {
    expect(await answer(attempts[attempt]?.() ?? Promise.resolve())).toMatch(forbidden);
  });
});

describe('admission policies refuse', () => {
  const approved = {
    status: {
      conditions: [
        {
          type: 'Approved',
          status: 'True',
          reason: 'a',
          message: 'b',
          lastUpdateTime: '2026-01-31T12:00:00Z',
        },
      ],
    },
  };

  /** Sends a request as somebody, and approves it with the token. */
  async function approve(
    as: { readonly user: string; readonly groups: readonly string[] },
    spec: Readonly<Record<string, unknown>> = {},
  ): Promise<string> {
    const request = goodRequest(cluster, addOn, spec);
    const requester = hub.client.as({ ...as, groups: [...as.groups, 'system:masters'] });
    await requester.create(request);
    requester.close();
    return await answer(token.merge(request, approved, 'approval'));
  }

  test.each([
    [
      'of a node, for servers',
      'kubernetes.io/kubelet-serving',
      ['digital signature', 'key encipherment', 'server auth'],
    ],
    ['of a node', 'kubernetes.io/kube-apiserver-client-kubelet', ['digital signature', 'client auth']],
    ['of a signer of somebody else', 'example.com/other', ['client auth']],
  ])('the approval of a request %s', async (_, signerName, usages) => {
    const refused = await approve(agentOf(cluster), { signerName, usages });
    expect(refused).toMatch(/^certificate-requests: fleetwright: |not permitted to approve|forbidden/);
  });

  test.each([
    ['of another cluster', agentOf(other)],
    ['of an administrator', { user: 'admin', groups: ['system:masters'] }],
    ['of the thief', { user: account, groups: ['system:serviceaccounts'] }],
  ])('the approval of a request %s', async (_, as) => {
    expect(await approve(as)).toMatch(/^certificate-requests: fleetwright: /);
  });

  test('the approval of a request for a component of Kubernetes', async () => {
    const subject = {
      commonName: 'system:kube-controller-manager',
      organizations: ['system:nodes'],
      organizationalUnits: [],
    };
    const request = Buffer.from(newCertificateRequest(newKey(), { subject })).toString('base64');
    expect(await approve(agentOf(cluster), { request })).toMatch(/^certificate-requests: fleetwright: /);
  });

  test('certificates that it writes into requests of the API server itself', async () => {
    const request = goodRequest(cluster, addOn);
    await hub.client.create(request);
    const evil = authorityCertificate(newKey(), { name: 'evil' });
    const certificate = { status: { certificate: Buffer.from(evil).toString('base64') } };
    expect(await answer(token.merge(request, certificate, 'status'))).toMatch(
      /^certificate-requests: fleetwright: |not permitted to sign|forbidden/,
    );
  });

  test.each<[string, () => Promise<unknown>, string]>([
    [
      'a Lease of another program in its namespace',
      async () => await token.create(at(lease, 'more', companionNamespace)),
      'leases',
    ],
    [
      'other manifests of a work',
      async () =>
        await token.merge(at(ocmKinds.manifestWork, 'victim', cluster), {
          spec: { workload: { manifests: [reference(namespaceKind, 'evil')] } },
        }),
      'works',
    ],
    [
      'the deletion of a work',
      async () => await token.delete(at(ocmKinds.manifestWork, 'victim', cluster)),
      'works',
    ],
    [
      'another installation of an add-on',
      async () =>
        await token.merge(at(ocmKinds.managedClusterAddOn, addOn, cluster), {
          spec: { installNamespace: 'kube-system' },
        }),
      'add-ons',
    ],
    [
      'the registration of an administrator',
      async () =>
        await token.merge(
          at(ocmKinds.managedClusterAddOn, addOn, cluster),
          {
            status: {
              registrations: [
                {
                  signerName: 'kubernetes.io/kube-apiserver-client',
                  subject: { user: 'admin', groups: ['system:masters'] },
                },
              ],
            },
          },
          'status',
        ),
      'add-on-statuses',
    ],
    [
      'a RoleBinding for itself',
      async () =>
        await token.create({
          ...at(roleBinding, `fleetwright:${addOn}:${cluster}:role:view`, cluster),
          roleRef: { ...admin, name: 'view' },
          subjects,
        }),
      'role-bindings',
    ],
  ])('%s', async (_, attempt, refusing) => {
    expect(await answer(attempt())).toMatch(new RegExp(`^${refusing}: fleetwright: `));
  });
});

interface ServedResource {
  readonly name: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

test('of all that the API server serves, the token may do this in the namespace of a cluster, and nothing else', async () => {
  const { groups } = (await hub.client.read('/apis')) as {
    readonly groups: readonly { readonly preferredVersion: { readonly groupVersion: string } }[];
  };
  const versionsOfGroups = groups.map(({ preferredVersion }) => preferredVersion.groupVersion);
  const roots = ['/api/v1', ...versionsOfGroups.map((version) => `/apis/${version}`)];
  const allowed: string[] = [];
  let asked = 0;
  for (const root of roots) {
    const { resources } = (await hub.client.read(root)) as {
      readonly resources: readonly ServedResource[];
    };
    const [, , group = ''] = root.startsWith('/apis/') ? root.split('/') : [];
    for (const { name: served, namespaced, verbs } of resources) {
      const [resource, subresource] = served.split('/');
      const may: string[] = [];
      for (const verb of new Set([...verbs, 'update', 'patch'])) {
        if (verb === 'deletecollection' || verb === 'watch') continue;
        asked += 1;
        const namespace = namespaced ? { namespace: cluster } : {};
        const resourceAttributes = { verb, group, resource, subresource, ...namespace };
        const review = { ...reference(accessReview, ''), spec: { resourceAttributes } };
        const { status } = (await token.create(review)) as KubernetesObject & {
          readonly status: { readonly allowed: boolean };
        };
        if (status.allowed) may.push(verb);
      }
      if (may.length > 0) allowed.push(`${served}: ${may.toSorted().join(' ')}`);
    }
  }
  expect(asked).toBeGreaterThan(300);
  expect(allowed.toSorted()).toMatchInlineSnapshot(`
    [
      "addondeploymentconfigs: list",
      "certificatesigningrequests/approval: patch",
      "certificatesigningrequests/status: patch",
      "certificatesigningrequests: get list",
      "clustermanagementaddons: get list",
      "events: create patch",
      "managedclusteraddons/status: patch",
      "managedclusteraddons: delete get list patch",
      "managedclusters: list",
      "manifestworks: delete list patch",
      "rolebindings: create delete get list patch",
      "selfsubjectaccessreviews: create",
      "selfsubjectreviews: create",
      "selfsubjectrulesreviews: create",
    ]
  `);
});
