import { dnsSubdomainErrors } from '../names/name-errors.ts';
import { canonicalString, signOf } from '../quantity.ts';
import {
  forbidden,
  invalid,
  invalidEach,
  notSupported,
  required,
  type Field,
  type FieldFault,
} from './field-fault.ts';
import { labelKeyFaults, selectorFaults } from './labels.ts';
import { quantitiesOf } from './quantities.ts';
import type { Struct } from './struct.ts';
import { unsupported } from './values.ts';

/** As ValidatePersistentVolumeClaim. */
export function persistentVolumeClaimFaults(object: Struct): readonly FieldFault[] {
  return claimFaults(object.embedded('spec'));
}

/**
 * As ValidatePersistentVolumeClaimSpec, for a claim or the template of one. Data sources and classes of attributes are not checked.
 */
export function claimFaults(spec: Struct): readonly FieldFault[] {
  const { valid, faults } = quantitiesOf(spec.embedded('resources'), 'requests');
  if (faults.length > 0) return faults;
  const size = valid.get('storage');
  const sizeField = spec.at('resources').key('storage');
  const className = spec.text('storageClassName');
  return [
    ...accessModeFaults(spec.texts('accessModes'), spec.at('accessModes')),
    ...selectorFaults(spec.struct('selector')),
    ...(size === undefined ? [required(sizeField)] : []),
    ...(size !== undefined && signOf(size) <= 0
      ? [invalid(sizeField, canonicalString(size), 'must be greater than zero')]
      : []),
    ...(className === ''
      ? []
      : invalidEach(spec.at('storageClassName'), className, dnsSubdomainErrors(className))),
    ...unsupported(spec, 'volumeMode', ['Block', 'Filesystem']),
  ];
}

const supportedModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

function accessModeFaults(modes: readonly string[], field: Field): readonly FieldFault[] {
  if (modes.length === 0) return [required(field, 'at least 1 access mode is required')];
  const isMixed =
    modes.includes('ReadWriteOncePod') &&
    modes.some((mode) => mode !== 'ReadWriteOncePod' && supportedModes.includes(mode));
  return [
    ...modes
      .filter((mode) => !supportedModes.includes(mode))
      .map((mode) => notSupported(field, mode, supportedModes)),
    ...(isMixed ? [forbidden(field, 'may not use ReadWriteOncePod with other access modes')] : []),
  ];
}

/** As ValidateStorageClass, without the topologies. */
export function storageClassFaults(object: Struct): readonly FieldFault[] {
  const provisioner = object.text('provisioner');
  return [
    ...(provisioner === ''
      ? [required(object.at('provisioner'))]
      : labelKeyFaults(provisioner.toLowerCase(), object.at('provisioner'))),
    ...[...object.textMap('parameters').keys()]
      .filter((key) => key === '')
      .map((key) => invalid(object.at('parameters'), key, 'field can not be empty.')),
    ...unsupported(object, 'reclaimPolicy', ['Delete', 'Retain']),
    ...unsupported(object, 'volumeBindingMode', ['Immediate', 'WaitForFirstConsumer']),
  ];
}
