import type { ObjectMeta } from '../../../base/objects/object-meta.ts';
import type {
  ManagedClusterAddOnV1alpha1,
  ManagedClusterAddOnV1alpha1ConfigReference,
  ManagedClusterAddOnV1alpha1RegistrationConfig,
  ManagedClusterAddOnV1alpha1Status,
  ManagedClusterAddOnV1beta1,
  ManagedClusterAddOnV1beta1ConfigReference,
  ManagedClusterAddOnV1beta1RegistrationConfig,
  ManagedClusterAddOnV1beta1Status,
} from '../../../../schemas/types.gen.ts';
import { subjectInGoForm } from '../../../ocm/registration.ts';
import { apiServerSigner } from '../../../ocm/signers.ts';

/** The annotation in which v1beta1 keeps `spec.installNamespace` of v1alpha1. As OCM's InstallNamespaceAnnotation. */
export const installNamespaceAnnotation = 'addon.open-cluster-management.io/v1alpha1-install-namespace';

type Driver = ManagedClusterAddOnV1alpha1Status['kubeClientDriver'];

/** As ConvertFrom in ocm/pkg/addon/webhook/v1beta1, including the conversions of api/addon/v1beta1. */
export function managedClusterAddOnToV1beta1(
  object: ManagedClusterAddOnV1alpha1,
): ManagedClusterAddOnV1beta1 {
  const { kind, metadata, spec, status } = object;
  return {
    apiVersion: 'addon.open-cluster-management.io/v1beta1',
    kind,
    ...withoutInstallNamespaceField(metadata, spec),
    ...(status && { status: statusToV1beta1(status) }),
  };
}

/** Moves the namespace from the spec to the annotation. */
function withoutInstallNamespaceField(
  metadata: ObjectMeta,
  spec: ManagedClusterAddOnV1alpha1['spec'],
): Pick<ManagedClusterAddOnV1beta1, 'metadata' | 'spec'> {
  if (spec.installNamespace === undefined) return { metadata, spec };
  const { installNamespace, ...others } = spec;
  if (installNamespace === '') return { metadata, spec: others };
  const annotations = { ...metadata.annotations, [installNamespaceAnnotation]: installNamespace };
  return { metadata: { ...metadata, annotations }, spec: others };
}

function statusToV1beta1(status: ManagedClusterAddOnV1alpha1Status): ManagedClusterAddOnV1beta1Status {
  const { addOnConfiguration: _, kubeClientDriver, configReferences, registrations, ...same } = status;
  return {
    ...same,
    ...(configReferences === undefined
      ? {}
      : {
          configReferences: configReferences.map(({ name: _name, namespace: _namespace, ...rest }) => rest),
        }),
    ...(registrations === undefined
      ? {}
      : { registrations: registrations.map((registration) => toV1beta1(registration, kubeClientDriver)) }),
  };
}

function toV1beta1(
  { signerName, subject = {} }: ManagedClusterAddOnV1alpha1RegistrationConfig,
  driver: Driver,
): ManagedClusterAddOnV1beta1RegistrationConfig {
  const { organizationUnit = [] } = subject;
  if (signerName === apiServerSigner) {
    return {
      type: 'kubeClient',
      kubeClient: { ...(driver === undefined ? {} : { driver }), subject: subjectInGoForm(subject) },
    };
  }
  const organizationUnits = organizationUnit.length === 0 ? {} : { organizationUnits: organizationUnit };
  return {
    type: 'customSigner',
    customSigner: { signerName, subject: { ...subjectInGoForm(subject), ...organizationUnits } },
  };
}

/** As ConvertTo in ocm/pkg/addon/webhook/v1beta1, including the conversions of api/addon/v1beta1. */
export function managedClusterAddOnToV1alpha1(
  object: ManagedClusterAddOnV1beta1,
): ManagedClusterAddOnV1alpha1 {
  const { status, ...rest } = object;
  const installNamespace = object.metadata.annotations?.[installNamespaceAnnotation] ?? '';
  return {
    ...rest,
    apiVersion: 'addon.open-cluster-management.io/v1alpha1',
    metadata: withoutInstallNamespace(object.metadata),
    spec: { ...object.spec, ...(installNamespace === '' ? {} : { installNamespace }) },
    ...(status === undefined ? {} : { status: statusToV1alpha1(status) }),
  };
}

function withoutInstallNamespace(metadata: ObjectMeta): ObjectMeta {
  const { annotations, ...rest } = metadata;
  if (annotations?.[installNamespaceAnnotation] === undefined) return metadata;
  const { [installNamespaceAnnotation]: _, ...otherAnnotations } = annotations;
  return Object.keys(otherAnnotations).length === 0 ? rest : { ...rest, annotations: otherAnnotations };
}

function statusToV1alpha1(status: ManagedClusterAddOnV1beta1Status): ManagedClusterAddOnV1alpha1Status {
  const { configReferences, registrations, ...same } = status;
  const driver = registrations?.find(
    ({ type, kubeClient }) => type === 'kubeClient' && kubeClient !== undefined,
  )?.kubeClient?.driver;
  return {
    ...same,
    ...(configReferences === undefined ? {} : { configReferences: configReferences.map(withReferent) }),
    ...(registrations === undefined ? {} : { registrations: registrations.map(toV1alpha1) }),
    ...(driver === undefined ? {} : { kubeClientDriver: driver }),
  };
}

/** Returns the config with the referent. v1alpha1 has the referent twice and requires the older field. */
function withReferent(
  reference: ManagedClusterAddOnV1beta1ConfigReference,
): ManagedClusterAddOnV1alpha1ConfigReference {
  const { name = '', namespace = '' } = reference.desiredConfig ?? {};
  return { ...reference, name, ...(namespace === '' ? {} : { namespace }) };
}

function toV1alpha1({
  type,
  kubeClient,
  customSigner,
}: ManagedClusterAddOnV1beta1RegistrationConfig): ManagedClusterAddOnV1alpha1RegistrationConfig {
  if (type === 'kubeClient') {
    return { signerName: apiServerSigner, subject: subjectInGoForm(kubeClient?.subject) };
  }
  const { signerName = '', subject = {} } = customSigner ?? {};
  const { organizationUnits = [] } = subject;
  const organizationUnit = organizationUnits.length === 0 ? {} : { organizationUnit: organizationUnits };
  return { signerName, subject: { ...subjectInGoForm(subject), ...organizationUnit } };
}
