/** A kind that a release of Kubernetes stopped serving. */
export interface RemovedKind {
  /** The first release without it: 25 for 1.25. */
  readonly removed: number;
  /** The apiVersion to write instead; absent if nothing replaces it. */
  readonly replacement?: string;
}

/**
 * Kinds that are missing in all releases of the table, by apiVersion and kind.
 * @see https://kubernetes.io/docs/reference/using-api/deprecation-guide/
 */
export const removedKinds: Readonly<Record<string, Readonly<Record<string, RemovedKind>>>> = {
  'admissionregistration.k8s.io/v1beta1': {
    MutatingWebhookConfiguration: { removed: 22, replacement: 'admissionregistration.k8s.io/v1' },
    ValidatingWebhookConfiguration: { removed: 22, replacement: 'admissionregistration.k8s.io/v1' },
  },
  'apiextensions.k8s.io/v1beta1': {
    CustomResourceDefinition: { removed: 22, replacement: 'apiextensions.k8s.io/v1' },
  },
  'apiregistration.k8s.io/v1beta1': {
    APIService: { removed: 22, replacement: 'apiregistration.k8s.io/v1' },
  },
  'apps/v1beta1': {
    ControllerRevision: { removed: 16, replacement: 'apps/v1' },
    Deployment: { removed: 16, replacement: 'apps/v1' },
    StatefulSet: { removed: 16, replacement: 'apps/v1' },
  },
  'apps/v1beta2': {
    ControllerRevision: { removed: 16, replacement: 'apps/v1' },
    DaemonSet: { removed: 16, replacement: 'apps/v1' },
    Deployment: { removed: 16, replacement: 'apps/v1' },
    ReplicaSet: { removed: 16, replacement: 'apps/v1' },
    StatefulSet: { removed: 16, replacement: 'apps/v1' },
  },
  'autoscaling/v2beta1': { HorizontalPodAutoscaler: { removed: 25, replacement: 'autoscaling/v2' } },
  'batch/v1beta1': { CronJob: { removed: 25, replacement: 'batch/v1' } },
  'certificates.k8s.io/v1beta1': {
    CertificateSigningRequest: { removed: 22, replacement: 'certificates.k8s.io/v1' },
  },
  'coordination.k8s.io/v1beta1': { Lease: { removed: 22, replacement: 'coordination.k8s.io/v1' } },
  'discovery.k8s.io/v1beta1': { EndpointSlice: { removed: 25, replacement: 'discovery.k8s.io/v1' } },
  'events.k8s.io/v1beta1': { Event: { removed: 25, replacement: 'events.k8s.io/v1' } },
  'extensions/v1beta1': {
    DaemonSet: { removed: 16, replacement: 'apps/v1' },
    Deployment: { removed: 16, replacement: 'apps/v1' },
    Ingress: { removed: 22, replacement: 'networking.k8s.io/v1' },
    NetworkPolicy: { removed: 16, replacement: 'networking.k8s.io/v1' },
    PodSecurityPolicy: { removed: 16 },
    ReplicaSet: { removed: 16, replacement: 'apps/v1' },
  },
  'networking.k8s.io/v1beta1': {
    Ingress: { removed: 22, replacement: 'networking.k8s.io/v1' },
    IngressClass: { removed: 22, replacement: 'networking.k8s.io/v1' },
  },
  'node.k8s.io/v1beta1': { RuntimeClass: { removed: 25, replacement: 'node.k8s.io/v1' } },
  'policy/v1beta1': {
    PodDisruptionBudget: { removed: 25, replacement: 'policy/v1' },
    PodSecurityPolicy: { removed: 25 },
  },
  'rbac.authorization.k8s.io/v1beta1': {
    ClusterRole: { removed: 22, replacement: 'rbac.authorization.k8s.io/v1' },
    ClusterRoleBinding: { removed: 22, replacement: 'rbac.authorization.k8s.io/v1' },
    Role: { removed: 22, replacement: 'rbac.authorization.k8s.io/v1' },
    RoleBinding: { removed: 22, replacement: 'rbac.authorization.k8s.io/v1' },
  },
  'scheduling.k8s.io/v1beta1': { PriorityClass: { removed: 22, replacement: 'scheduling.k8s.io/v1' } },
  'storage.k8s.io/v1beta1': {
    CSIDriver: { removed: 22, replacement: 'storage.k8s.io/v1' },
    CSINode: { removed: 22, replacement: 'storage.k8s.io/v1' },
    StorageClass: { removed: 22, replacement: 'storage.k8s.io/v1' },
    VolumeAttachment: { removed: 22, replacement: 'storage.k8s.io/v1' },
  },
};
