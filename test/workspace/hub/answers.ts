import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { hubAtRest } from '../../compiler/status/served-hub.ts';

/** One change of an object that a hub returns: a wrong value of a field, or none at all. */
export interface WrongAnswer {
  readonly kind: string;
  /** From the object to the field. */
  readonly field: readonly string[];
  readonly value: unknown;
}

/** The value of a field that is missing. */
export const missing = Symbol('missing');

const wrongValues: readonly unknown[] = [missing, null, '', 'x', 7, true, [], [null], {}, { x: 1 }];

const owner = { apiVersion: 'v1', kind: 'Secret', name: 's', uid: 'u' };

const metadata = (name: string, namespace?: string): object => ({
  name,
  ...(namespace !== undefined && { namespace }),
  uid: `uid-${name}`,
  resourceVersion: '1',
  creationTimestamp: '2026-05-31T00:00:00Z',
  labels: { 'open-cluster-management.io/addon-name': 'hello' },
  annotations: { 'argocd.argoproj.io/tracking-id': 'hello:/Placement:default/p' },
  ownerReferences: [owner],
  finalizers: ['example.com/finalizer'],
  managedFields: [{ manager: 'argocd-controller', operation: 'Apply', time: '2026-05-31T00:00:00Z' }],
});

/** Kinds of Kubernetes, OCM's operator and the engines that commands read besides those of the add-ons. */
const others: readonly KubernetesObject[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: metadata('c1'), status: { phase: 'Active' } },
  {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: {
      ...metadata('csr'),
      labels: {
        'open-cluster-management.io/addon-name': 'hello',
        'open-cluster-management.io/cluster-name': 'c1',
      },
    },
    spec: {
      request: 'eA==',
      signerName: 'kubernetes.io/kube-apiserver-client',
      usages: ['client auth'],
      username: 'u',
      groups: ['g'],
    },
    status: {
      conditions: [{ type: 'Denied', status: 'True', reason: 'R', message: 'm' }],
      certificate: 'eA==',
    },
  },
  {
    apiVersion: 'operator.open-cluster-management.io/v1',
    kind: 'ClusterManager',
    metadata: metadata('cluster-manager'),
    spec: {
      registrationImagePullSpec: 'quay.io/open-cluster-management/registration:v1.2.0',
      addOnManagerConfiguration: { featureGates: [{ feature: 'AddonManagement', mode: 'Disable' }] },
      registrationConfiguration: { featureGates: [{ feature: 'DefaultClusterSet', mode: 'Enable' }] },
    },
  },
  {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: metadata('hello', 'argocd'),
    spec: {
      project: 'default',
      source: { repoURL: 'https://example.com/x', path: 'dist/hello', targetRevision: 'main' },
      destination: { server: 'https://kubernetes.default.svc', namespace: 'default' },
      syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: ['ServerSideApply=true'] },
      ignoreDifferences: [{ group: 'apps', kind: 'Deployment', jsonPointers: ['/spec'] }],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadata('argocd-cm', 'argocd'),
    data: { 'application.resourceTrackingMethod': 'annotation' },
  },
];

/** Adds the metadata that an API server stores. */
function asStored(object: KubernetesObject): KubernetesObject {
  const { name = '', namespace, labels, annotations } = object.metadata;
  const stored = metadata(name, namespace) as KubernetesObject['metadata'];
  return {
    ...object,
    metadata: {
      ...stored,
      ...object.metadata,
      labels: { ...stored.labels, ...labels },
      annotations: { ...stored.annotations, ...annotations },
    },
  };
}

/** The objects of a hub: an add-on that one cluster has not applied, and whatever else commands read. */
export function hubObjects(): readonly KubernetesObject[] {
  const hub = hubAtRest();
  const waiting = { type: 'Available', status: 'False', reason: 'R', message: 'm' } as const;
  hub.report('c1', { ...waiting, lastTransitionTime: '2026-05-31T00:00:00Z' });
  hub.reportWork('c1', 'False', 'False', 'failed');
  return [...hub.objects.map(asStored), ...others];
}

/** Returns the changes of the first object of each kind: each field, also of the first entry of a list, with each wrong value. */
export function wrongAnswers(objects: readonly KubernetesObject[]): readonly WrongAnswer[] {
  const first = new Map<string, KubernetesObject>();
  for (const object of objects) if (!first.has(object.kind)) first.set(object.kind, object);
  return [...first].flatMap(([kind, object]) =>
    fieldsOf(object).flatMap((field) => wrongValues.map((value) => ({ kind, field, value }))),
  );
}

function fieldsOf(value: unknown, depth = 0): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null || depth > 8) return [];
  const entries = Object.entries(value).slice(0, Array.isArray(value) ? 1 : undefined);
  return entries.flatMap(([name, part]) => [
    [name],
    ...fieldsOf(part, depth + 1).map((inner) => [name, ...inner]),
  ]);
}

/** Returns the objects with one change. */
export function withWrong(
  objects: readonly KubernetesObject[],
  { kind, field, value }: WrongAnswer,
): readonly unknown[] {
  const index = objects.findIndex((object) => object.kind === kind);
  return objects.map((object, at) => (at === index ? changed(object, field, value) : object));
}

function changed(object: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(object))
    return object.map((entry, at) => (at === 0 ? changed(entry, rest, value) : entry));
  const map = object as Readonly<Record<string, unknown>>;
  const { [name]: before, ...others } = map;
  if (rest.length === 0 && value === missing) return others;
  return { ...map, [name]: changed(before, rest, value) };
}
