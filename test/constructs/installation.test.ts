import { expect, test } from 'vitest';
import { ClusterManager, Klusterlet } from '../../constructs/index.ts';
import { objectOf } from './in-chart.ts';

test('a ClusterManager sets the differences of its hub from the release', () => {
  const manager = objectOf(
    (chart) =>
      new ClusterManager(chart, 'cluster-manager', {
        labels: { team: 'platform' },
        registrationImagePullSpec: 'registry.example.com/ocm/registration:v1.3.1',
        deployOption: { mode: 'Default' },
        registrationConfiguration: {
          autoApproveUsers: ['bootstrap'],
          featureGates: { DefaultClusterSet: true },
        },
        workConfiguration: { workDriver: 'kube', featureGates: { ManifestWorkReplicaSet: true } },
        addOnManagerConfiguration: { featureGates: { AddonManagement: false } },
        placementConfiguration: {},
      }),
  );

  expect(manager).toStrictEqual({
    apiVersion: 'operator.open-cluster-management.io/v1',
    kind: 'ClusterManager',
    metadata: { name: 'cluster-manager', labels: { team: 'platform' } },
    spec: {
      registrationImagePullSpec: 'registry.example.com/ocm/registration:v1.3.1',
      deployOption: { mode: 'Default' },
      registrationConfiguration: {
        autoApproveUsers: ['bootstrap'],
        featureGates: [{ feature: 'DefaultClusterSet', mode: 'Enable' }],
      },
      workConfiguration: {
        workDriver: 'kube',
        featureGates: [{ feature: 'ManifestWorkReplicaSet', mode: 'Enable' }],
      },
      addOnManagerConfiguration: { featureGates: [{ feature: 'AddonManagement', mode: 'Disable' }] },
      placementConfiguration: {},
    },
  });
});

test('a Klusterlet sets the differences of its cluster from the release', () => {
  const klusterlet = objectOf(
    (chart) =>
      new Klusterlet(chart, 'klusterlet', {
        annotations: { note: 'edge' },
        clusterName: 'edge-1',
        namespace: 'open-cluster-management-edge-1',
        mode: 'Singleton',
        externalServerURLs: [{ url: 'https://edge-1.example.com' }],
        registrationConfiguration: {
          clusterAnnotations: { 'agent.open-cluster-management.io/site': 'a' },
          featureGates: { ClusterClaim: true },
        },
        workConfiguration: { statusSyncInterval: '30s' },
      }),
  );

  expect(klusterlet).toStrictEqual({
    apiVersion: 'operator.open-cluster-management.io/v1',
    kind: 'Klusterlet',
    metadata: { name: 'klusterlet', annotations: { note: 'edge' } },
    spec: {
      clusterName: 'edge-1',
      namespace: 'open-cluster-management-edge-1',
      deployOption: { mode: 'Singleton' },
      externalServerURLs: [{ url: 'https://edge-1.example.com' }],
      registrationConfiguration: {
        clusterAnnotations: { 'agent.open-cluster-management.io/site': 'a' },
        featureGates: [{ feature: 'ClusterClaim', mode: 'Enable' }],
      },
      workConfiguration: { statusSyncInterval: '30s' },
    },
  });
});
