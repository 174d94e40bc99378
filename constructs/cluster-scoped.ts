import type { KubernetesObject } from '../schemas/object-meta.ts';
import { groupOf } from './named-object.ts';

/** The kinds of Kubernetes and OCM that live in no namespace, as `group/Kind`; the core group is empty. */
const clusterScopedKinds = new Set([
  '/Namespace',
  '/Node',
  '/PersistentVolume',
  'admissionregistration.k8s.io/MutatingAdmissionPolicy',
  'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/MutatingWebhookConfiguration',
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy',
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration',
  'apiextensions.k8s.io/CustomResourceDefinition',
  'apiregistration.k8s.io/APIService',
  'certificates.k8s.io/CertificateSigningRequest',
  'certificates.k8s.io/ClusterTrustBundle',
  'flowcontrol.apiserver.k8s.io/FlowSchema',
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration',
  'networking.k8s.io/IngressClass',
  'networking.k8s.io/IPAddress',
  'networking.k8s.io/ServiceCIDR',
  'node.k8s.io/RuntimeClass',
  'rbac.authorization.k8s.io/ClusterRole',
  'rbac.authorization.k8s.io/ClusterRoleBinding',
  'resource.k8s.io/DeviceClass',
  'resource.k8s.io/ResourceSlice',
  'scheduling.k8s.io/PriorityClass',
  'storage.k8s.io/CSIDriver',
  'storage.k8s.io/CSINode',
  'storage.k8s.io/StorageClass',
  'storage.k8s.io/VolumeAttachment',
  'storage.k8s.io/VolumeAttributesClass',
  'addon.open-cluster-management.io/AddOnTemplate',
  'addon.open-cluster-management.io/ClusterManagementAddOn',
  'cluster.open-cluster-management.io/ClusterClaim',
  'cluster.open-cluster-management.io/ManagedCluster',
  'cluster.open-cluster-management.io/ManagedClusterSet',
  'operator.open-cluster-management.io/ClusterManager',
  'operator.open-cluster-management.io/Klusterlet',
  'work.open-cluster-management.io/AppliedManifestWork',
]);

/**
 * The object without the namespace that a cdk8s Chart gives to each object in it, where the kind has none;
 * and without an empty namespace, by which an object of any other cluster-scoped kind says so itself.
 */
export function withFittingNamespace(object: KubernetesObject): KubernetesObject {
  const { namespace, ...metadata } = object.metadata;
  if (namespace === undefined) return object;
  if (namespace !== '' && !clusterScopedKinds.has(`${groupOf(object.apiVersion)}/${object.kind}`))
    return object;
  return { ...object, metadata };
}
