import type { GeneratedKind } from './generated-kind.ts';

const request = (count: number, deviceClassName: string): object => ({
  devices: { requests: [{ name: 'a', exactly: { deviceClassName, allocationMode: 'ExactCount', count } }] },
});

/** Storage and devices. */
export const storageKinds: readonly GeneratedKind[] = [
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    content: (random) => ({
      spec: {
        accessModes: [random.pick(['ReadWriteOnce', 'ReadWriteOnce', 'ReadWriteMany'] as const)],
        storageClassName: 'none',
        resources: { requests: { storage: random.pick(['1Gi', '1Gi', '1024Mi'] as const) } },
      },
    }),
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    isClusterScoped: true,
    content: (random) => ({
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'none',
        persistentVolumeReclaimPolicy: random.pick(['Retain', 'Delete'] as const),
        nfs: { server: random.pick(['a', 'a', 'b'] as const), path: '/a' },
      },
    }),
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    isClusterScoped: true,
    content: (random) => ({
      provisioner: random.pick(['a.com/x', 'a.com/x', 'a.com/y'] as const),
      ...random.pick([{}, { reclaimPolicy: 'Delete' }, { reclaimPolicy: 'Retain' }] as const),
      allowVolumeExpansion: random.chance(0.5),
    }),
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttributesClass',
    isClusterScoped: true,
    content: (random) => ({
      driverName: random.pick(['a.com', 'a.com', 'b.com'] as const),
      parameters: { iops: random.pick(['1', '1', '2'] as const) },
    }),
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    isClusterScoped: true,
    content: (random) => ({
      spec: {
        attachRequired: random.pick([true, true, false] as const),
        podInfoOnMount: random.chance(0.5),
        requiresRepublish: random.chance(0.5),
      },
    }),
  },
  {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    content: (random) => ({ spec: request(random.pick([1, 1, 2] as const), 'gpu') }),
  },
  {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    content: (random) => ({ spec: { spec: request(random.pick([1, 1, 2] as const), 'gpu') } }),
  },
  {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'DeviceClass',
    isClusterScoped: true,
    content: (random) => ({
      spec: { selectors: [{ cel: { expression: random.pick(['true', 'false'] as const) } }] },
    }),
  },
];
