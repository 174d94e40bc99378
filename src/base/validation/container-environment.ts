import { dnsSubdomainErrors } from '../names/name-errors.ts';
import { invalid, invalidEach, notSupported, required, type Field, type FieldFault } from './field-fault.ts';
import type { Struct } from './struct.ts';
import { configKeyErrors, variableNameErrors } from './values.ts';

/** As ValidateEnv and ValidateEnvFrom, with the relaxed rule for names. */
export function environmentFaults(container: Struct): readonly FieldFault[] {
  return [
    ...container.structs('env').flatMap(variableFaults),
    ...container.structs('envFrom').flatMap((source) => sourceFaults(source, container.at('envFrom'))),
  ];
}

function variableFaults(variable: Struct): readonly FieldFault[] {
  const name = variable.text('name');
  const field = variable.at('name');
  const from = variable.struct('valueFrom');
  return [
    ...(name === '' ? [required(field)] : invalidEach(field, name, variableNameErrors(name))),
    ...(from === undefined ? [] : valueFaults(from, variable.text('value'))),
  ];
}

/** As validateEnvVarValueFrom. */
function valueFaults(from: Struct, value: string): readonly FieldFault[] {
  const present = Object.keys(from.fields).filter((name) => from.has(name));
  const [first] = present;
  const field = from.field;
  // later releases can have more sources
  const isKnown = present.every((name) => name in references || name === 'fileKeyRef');
  return [
    ...present.flatMap((name) => {
      const reference = from.struct(name);
      return reference === undefined ? [] : (references[name]?.(reference) ?? []);
    }),
    ...(first === undefined
      ? [
          invalid(
            field,
            '',
            'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
          ),
        ]
      : !isKnown
        ? []
        : value !== ''
          ? [invalid(field, '', 'may not be specified when `value` is not empty')]
          : present.length > 1
            ? [invalid(field, '', 'may not have more than one field specified at a time')]
            : []),
  ];
}

const references: Readonly<Record<string, (reference: Struct) => readonly FieldFault[]>> = {
  configMapKeyRef: keyFaults,
  secretKeyRef: keyFaults,
  fieldRef: fieldReferenceFaults,
  resourceFieldRef: resourceReferenceFaults,
};

/** As validateConfigMapKeySelector and validateSecretKeySelector. */
function keyFaults(reference: Struct): readonly FieldFault[] {
  const [name, key] = [reference.text('name'), reference.text('key')];
  return [
    ...invalidEach(reference.at('name'), name, dnsSubdomainErrors(name)),
    ...(key === ''
      ? [required(reference.at('key'))]
      : invalidEach(reference.at('key'), key, configKeyErrors(key))),
  ];
}

/** The fields of a pod that an environment variable can have. */
const podFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
/** Fields that the API server knows, and that only files can have. */
const otherFields: ReadonlySet<string> = new Set([
  'metadata.annotations',
  'metadata.labels',
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
]);

/** As validateObjectFieldSelector. Keys of labels and annotations in brackets are not checked. */
function fieldReferenceFaults(reference: Struct): readonly FieldFault[] {
  const path = reference.text('fieldPath');
  const field = reference.at('fieldPath');
  if (path === '') return [required(field)];
  if (path.includes('[') || podFields.includes(path) || path === 'spec.host') return [];
  return otherFields.has(path)
    ? [notSupported(field, path, podFields)]
    : [invalid(field, path, `error converting fieldPath: field label not supported: ${path}`)];
}

const containerFields = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];

/** As validateContainerResourceFieldSelector, without the divisor. */
function resourceReferenceFaults(reference: Struct): readonly FieldFault[] {
  const resource = reference.text('resource');
  const field = reference.at('resource');
  if (resource === '') return [required(field)];
  const isKnown = containerFields.includes(resource) || /^(?:requests|limits)\.hugepages-/.test(resource);
  return isKnown ? [] : [notSupported(field, resource, containerFields)];
}

function sourceFaults(source: Struct, list: Field): readonly FieldFault[] {
  const prefix = source.text('prefix');
  const present = Object.keys(source.fields).filter((name) => name !== 'prefix' && source.has(name));
  const known = present.filter((name) => name === 'configMapRef' || name === 'secretRef');
  return [
    ...invalidEach(source.at('prefix'), prefix, variableNameErrors(prefix)),
    ...known.flatMap((name) => {
      const reference = source.embedded(name);
      const referent = reference.text('name');
      const field = reference.at('name');
      if (referent === '') return [required(field)];
      // a name may end with a dash here, as a prefix of generated names
      return invalidEach(field, referent, dnsSubdomainErrors(referent.replace(/(?<=.)-$/, 'a')));
    }),
    ...(present.length === 0
      ? [invalid(list, '', 'must specify one of: `configMapRef` or `secretRef`')]
      : known.length > 1
        ? [invalid(list, '', 'may not have more than one field specified at a time')]
        : []),
  ];
}
