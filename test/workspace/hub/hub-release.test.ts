import path from 'node:path';
import { expect, test } from 'vitest';
import { openHub } from '../../../src/workspace/hub/connect-to-hub.ts';
import { readHubRelease } from '../../../src/workspace/hub/verify/hub-release.ts';
import { refusal, serve, type Response } from '../../cli/api-server.ts';
import { folderWith } from '../../cli/terminal.ts';

/**
 * What the CustomResourceDefinitions of multicluster engine serve, by the branch of stolostron/ocm that they are published in. Its
 * ClusterManager names images by digest, and its MultiClusterEngine the version.
 */
const published = [
  { branch: 'backplane-2.6', version: '2.6.11', addOns: ['v1alpha1'], sortsPlacements: false, ocm: '1.1' },
  { branch: 'backplane-2.10', version: '2.10.4', addOns: ['v1alpha1'], sortsPlacements: false, ocm: '1.1' },
  {
    branch: 'backplane-2.11',
    version: '2.11.2',
    addOns: ['v1alpha1', 'v1beta1'],
    sortsPlacements: false,
    ocm: '1.2',
  },
  {
    branch: 'backplane-2.17',
    version: '2.17.0',
    addOns: ['v1alpha1', 'v1beta1'],
    sortsPlacements: true,
    ocm: '1.3',
  },
  {
    branch: 'backplane-5.0',
    version: '5.0.0',
    addOns: ['v1alpha1', 'v1beta1'],
    sortsPlacements: true,
    ocm: '1.3',
  },
] as const;

const addOn = 'addon.open-cluster-management.io';
const cluster = 'cluster.open-cluster-management.io';

type Published = (typeof published)[number];

function answerOf({ version, addOns, sortsPlacements }: Published, pathname: string): Response {
  const spec = { properties: { predicates: {}, ...(sortsPlacements && { sortBy: {} }) } };
  const placement = {
    'x-kubernetes-group-version-kind': [{ group: cluster, kind: 'Placement', version: 'v1beta1' }],
    properties: { spec },
  };
  const digest = `sha256:${'0'.repeat(64)}`;
  const bodies: Readonly<Record<string, object>> = {
    [`/apis/${addOn}`]: {
      versions: addOns.map((each) => ({ groupVersion: `${addOn}/${each}`, version: each })),
      preferredVersion: { groupVersion: `${addOn}/v1alpha1` },
    },
    [`/apis/${addOn}/v1alpha1`]: {
      resources: ['ClusterManagementAddOn', 'AddOnTemplate'].map((kind) => ({
        kind,
        name: `${kind.toLowerCase()}s`,
        namespaced: false,
      })),
    },
    [`/apis/${addOn}/v1beta1`]: {
      resources: [{ kind: 'ClusterManagementAddOn', name: 'clustermanagementaddons', namespaced: false }],
    },
    [`/openapi/v3/apis/${cluster}/v1beta1`]: { components: { schemas: { placement } } },
    '/apis/operator.open-cluster-management.io/v1/clustermanagers': list({
      spec: { registrationImagePullSpec: `registry.redhat.io/multicluster-engine/registration@${digest}` },
    }),
    '/apis/multicluster.openshift.io': {
      versions: [{ groupVersion: 'multicluster.openshift.io/v1', version: 'v1' }],
      preferredVersion: { groupVersion: 'multicluster.openshift.io/v1' },
    },
    '/apis/multicluster.openshift.io/v1': {
      resources: [{ kind: 'MultiClusterEngine', name: 'multiclusterengines', namespaced: false }],
    },
    '/apis/multicluster.openshift.io/v1/multiclusterengines': list({ status: { currentVersion: version } }),
  };
  const body = bodies[pathname];
  return body === undefined ? refusal(404, 'NotFound', 'no') : { status: 200, body };
}

function list(object: object): object {
  const items = [{ metadata: { name: 'one' }, ...object }];
  return { kind: 'List', metadata: { resourceVersion: '1' }, items };
}

test.each(published)('multicluster engine of $version is OCM $ocm', async (each) => {
  const { kubeconfig } = await serve(({ pathname }) => answerOf(each, pathname));
  const folder = await folderWith({ kubeconfig });
  const hub = await openHub({ kubeconfig: path.join(folder, 'kubeconfig'), context: undefined }, folder);
  const { release, unasked } = await readHubRelease(hub);
  expect(unasked).toEqual([]);
  expect(release.ocm).toBe(each.ocm);
  expect(release.names[0]).toBe(`multicluster engine ${each.version}`);
});
