import { dnsLabelErrors, dnsSubdomainErrors } from '../names/name-errors.ts';
import { isDns1035Label, isDnsLabel } from '../names/name-syntax.ts';
import { dns1035LabelErrors } from '../names/name-errors.ts';
import { invalidEach, type FieldFault } from './field-fault.ts';
import { annotationFaults, labelFaults } from './labels.ts';
import type { Struct } from './struct.ts';
import { pathSegmentErrors } from './values.ts';

type NameErrors = (name: string) => readonly string[];

/** As ValidateServiceName, with RelaxedServiceNameValidation: releases that enable the gate accept a leading digit. */
export const serviceNameErrors: NameErrors = (name) =>
  isDnsLabel(name) && !isDns1035Label(name) ? [] : dns1035LabelErrors(name);

/** The rules for names by `group/Kind`. Other kinds take any segment of a path. */
const nameErrors: Readonly<Record<string, NameErrors>> = {
  '/Namespace': dnsLabelErrors,
  '/Service': serviceNameErrors,
  ...Object.fromEntries(
    [
      '/ConfigMap',
      '/Secret',
      '/ServiceAccount',
      '/Pod',
      '/PodTemplate',
      '/ReplicationController',
      '/PersistentVolumeClaim',
      '/PersistentVolume',
      '/LimitRange',
      '/ResourceQuota',
      'apps/Deployment',
      'apps/DaemonSet',
      'apps/ReplicaSet',
      // releases before 1.27 accept dots
      'apps/StatefulSet',
      'batch/Job',
      'batch/CronJob',
      'autoscaling/HorizontalPodAutoscaler',
      'networking.k8s.io/Ingress',
      'networking.k8s.io/IngressClass',
      'networking.k8s.io/NetworkPolicy',
      'storage.k8s.io/StorageClass',
      'scheduling.k8s.io/PriorityClass',
      'coordination.k8s.io/Lease',
      'node.k8s.io/RuntimeClass',
      'admissionregistration.k8s.io/ValidatingWebhookConfiguration',
      'admissionregistration.k8s.io/MutatingWebhookConfiguration',
    ].map((key) => [key, dnsSubdomainErrors]),
  ),
};

/**
 * Returns the faults of the metadata of any kind. As ValidateObjectMeta of apimachinery with the name function of the kind. Whether
 * a namespace is required is not checked, nor owners and finalizers.
 */
export function metadataFaults(key: string, object: Struct): readonly FieldFault[] {
  const metadata = object.struct('metadata');
  if (metadata === undefined) return [];
  const name = metadata.text('name');
  const namespace = metadata.text('namespace');
  return [
    ...(name === ''
      ? []
      : invalidEach(metadata.at('name'), name, (nameErrors[key] ?? pathSegmentErrors)(name))),
    ...(namespace === '' ? [] : invalidEach(metadata.at('namespace'), namespace, dnsLabelErrors(namespace))),
    ...labelFaults(labelsOf(key, metadata), metadata.at('labels')),
    ...annotationFaults(metadata.textMap('annotations'), metadata.at('annotations')),
  ];
}

/** The labels that the API server validates. It gives each Namespace its name as a label, as SetDefaults_Namespace. */
function labelsOf(key: string, metadata: Struct): ReadonlyMap<string, string> {
  const labels = metadata.textMap('labels');
  return key === '/Namespace'
    ? new Map([...labels, ['kubernetes.io/metadata.name', metadata.text('name')]])
    : labels;
}
