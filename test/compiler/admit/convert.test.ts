import { describe, expect, test } from 'vitest';
import { convertAddOn } from '../../../src/compiler/admit/conversion/convert.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';

const group = 'addon.open-cluster-management.io';
const v1alpha1 = `${group}/v1alpha1`;
const v1beta1 = `${group}/v1beta1`;
const installNamespace = `${group}/v1alpha1-install-namespace`;

function addOn(
  apiVersion: string,
  kind: string,
  fields: object,
  metadata: object = { name: 'helloworld' },
): KubernetesObject {
  return { apiVersion, kind, metadata, ...fields };
}

describe('ClusterManagementAddOn', () => {
  const installStrategy = {
    type: 'Placements',
    placements: [
      {
        namespace: 'ns',
        name: 'p',
        configs: [{ group: '', resource: 'configmaps', name: 'c' }],
        rolloutStrategy: { type: 'All' },
      },
    ],
  };
  const reference = { group: '', resource: 'configmaps', desiredConfig: { name: 'c', specHash: 'abc' } };
  const status = { installProgressions: [{ namespace: 'ns', name: 'p', configReferences: [reference] }] };

  const old = addOn(v1alpha1, 'ClusterManagementAddOn', {
    spec: {
      addOnMeta: { displayName: 'Hello' },
      installStrategy,
      supportedConfigs: [
        { group, resource: 'addondeploymentconfigs', defaultConfig: { namespace: 'ns', name: 'd' } },
        { group, resource: 'addontemplates', defaultConfig: { name: 't' } },
        { group: '', resource: 'configmaps' },
      ],
    },
    status: { ...status, defaultconfigReferences: [reference] },
  });
  const young = addOn(v1beta1, 'ClusterManagementAddOn', {
    spec: {
      addOnMeta: { displayName: 'Hello' },
      installStrategy,
      defaultConfigs: [
        { group, resource: 'addondeploymentconfigs', namespace: 'ns', name: 'd' },
        { group, resource: 'addontemplates', name: 't' },
        { group: '', resource: 'configmaps', name: '__reserved_no_default__' },
      ],
    },
    status: { ...status, defaultConfigReferences: [reference] },
  });

  test('has its supported configurations as defaults in v1beta1, with a reserved name for a missing default', () => {
    expect(convertAddOn(old, 'v1beta1')).toEqual(young);
  });

  test('is returned unchanged', () => {
    expect(convertAddOn(young, 'v1alpha1')).toEqual(old);
  });

  test('loses the fields that v1beta1 does not have', () => {
    const lossy = addOn(v1alpha1, 'ClusterManagementAddOn', {
      spec: {
        addOnConfiguration: { crdName: 'x' },
        supportedConfigs: [],
        installStrategy: { type: 'Manual' },
      },
    });
    expect(convertAddOn(lossy, 'v1beta1')).toEqual(
      addOn(v1beta1, 'ClusterManagementAddOn', { spec: { installStrategy: { type: 'Manual' } } }),
    );
  });

  test('loses the namespace of a default without a name', () => {
    const defaultConfigs = [{ group: '', resource: 'x', namespace: 'ns', name: '__reserved_no_default__' }];
    const { spec } = convertAddOn(
      addOn(v1beta1, 'ClusterManagementAddOn', { spec: { defaultConfigs } }),
      'v1alpha1',
    );
    expect(spec).toEqual({
      supportedConfigs: [{ group: '', resource: 'x' }],
      installStrategy: { type: 'Manual' },
    });
  });
});

describe('ManagedClusterAddOn', () => {
  const place = { name: 'helloworld', namespace: 'cluster1' };
  const configs = [{ group: '', resource: 'configmaps', namespace: 'ns', name: 'c' }];
  const desiredConfig = { name: 'c', namespace: 'ns', specHash: 'abc' };
  const subject = { user: 'u', groups: ['g'] };

  const old = addOn(
    v1alpha1,
    'ManagedClusterAddOn',
    {
      spec: { configs, installNamespace: 'agent' },
      status: {
        namespace: 'agent',
        configReferences: [
          {
            group: '',
            resource: 'configmaps',
            name: 'c',
            namespace: 'ns',
            desiredConfig,
            lastObservedGeneration: 1,
          },
        ],
        kubeClientDriver: 'token',
        registrations: [
          { signerName: 'kubernetes.io/kube-apiserver-client', subject },
          { signerName: 'example.com/signer', subject: { ...subject, organizationUnit: ['ou'] } },
        ],
      },
    },
    { ...place, annotations: { own: 'x' } },
  );
  const young = addOn(
    v1beta1,
    'ManagedClusterAddOn',
    {
      spec: { configs },
      status: {
        namespace: 'agent',
        configReferences: [{ group: '', resource: 'configmaps', desiredConfig, lastObservedGeneration: 1 }],
        registrations: [
          { type: 'kubeClient', kubeClient: { driver: 'token', subject } },
          {
            type: 'customSigner',
            customSigner: {
              signerName: 'example.com/signer',
              subject: { ...subject, organizationUnits: ['ou'] },
            },
          },
        ],
      },
    },
    { ...place, annotations: { own: 'x', [installNamespace]: 'agent' } },
  );

  test('has its install namespace in an annotation, and its registrations by type, in v1beta1', () => {
    expect(convertAddOn(old, 'v1beta1')).toEqual(young);
  });

  test('is returned unchanged', () => {
    expect(convertAddOn(young, 'v1alpha1')).toEqual(old);
  });

  test('gets the default install namespace on the way to v1alpha1, and keeps no annotations then', () => {
    const empty = addOn(
      v1beta1,
      'ManagedClusterAddOn',
      { spec: {} },
      { ...place, annotations: { [installNamespace]: '' } },
    );
    expect(convertAddOn(empty, 'v1alpha1')).toEqual(
      addOn(
        v1alpha1,
        'ManagedClusterAddOn',
        { spec: { installNamespace: 'open-cluster-management-agent-addon' } },
        place,
      ),
    );
  });

  test('loses organization units if the API server signs, and the configuration that only early v1alpha1 had', () => {
    const { status } = convertAddOn(
      addOn(v1alpha1, 'ManagedClusterAddOn', {
        spec: { installNamespace: '' },
        status: {
          addOnConfiguration: { crName: 'x' },
          registrations: [
            { signerName: 'kubernetes.io/kube-apiserver-client', subject: { organizationUnit: ['ou'] } },
          ],
        },
      }),
      'v1beta1',
    );
    expect(status).toEqual({
      registrations: [{ type: 'kubeClient', kubeClient: { subject: { user: '' } } }],
    });
  });

  test('has complete registrations and references in v1alpha1, whatever v1beta1 leaves out', () => {
    const { status } = convertAddOn(
      addOn(v1beta1, 'ManagedClusterAddOn', {
        spec: {},
        status: {
          configReferences: [{ resource: 'x' }],
          registrations: [{ type: 'kubeClient' }, { type: 'customSigner' }],
        },
      }),
      'v1alpha1',
    );
    expect(status).toEqual({
      configReferences: [{ group: '', resource: 'x', name: '' }],
      registrations: [
        { signerName: 'kubernetes.io/kube-apiserver-client', subject: { user: '' } },
        { signerName: '', subject: { user: '' } },
      ],
    });
  });
});

test('an AddOnDeploymentConfig changes its version alone', () => {
  const config = addOn(v1beta1, 'AddOnDeploymentConfig', { spec: { agentInstallNamespace: 'x' } });
  expect(convertAddOn(config, 'v1alpha1')).toEqual({ ...config, apiVersion: v1alpha1 });
});

test('objects without another version, or already in it, are not changed', () => {
  const template = addOn(v1alpha1, 'AddOnTemplate', { spec: { addonName: 'x', agentSpec: {} } });
  const placement = addOn('cluster.open-cluster-management.io/v1beta1', 'Placement', { spec: {} });
  const config = addOn(v1alpha1, 'AddOnDeploymentConfig', { spec: {} });
  expect(convertAddOn(template, 'v1beta1')).toBe(template);
  expect(convertAddOn(placement, 'v1alpha1')).toBe(placement);
  expect(convertAddOn(config, 'v1alpha1')).toBe(config);
});
