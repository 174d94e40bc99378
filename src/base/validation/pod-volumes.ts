import { dnsLabelErrors } from '../names/name-errors.ts';
import { signOf } from '../quantity.ts';
import {
  duplicate,
  forbidden,
  invalid,
  invalidEach,
  required,
  undecodable,
  type Field,
  type FieldFault,
} from './field-fault.ts';
import { quantityOf } from './quantities.ts';
import { claimFaults } from './storage.ts';
import type { Struct } from './struct.ts';
import { unsupported } from './values.ts';

/** The volumes of a pod that a container can mount: those without faults. */
export interface PodVolumes {
  /** Whether a volume is a claim, which a container can use as a block device. */
  readonly valid: ReadonlyMap<string, boolean>;
  readonly faults: readonly FieldFault[];
}

/** As ValidateVolumes. The sources that cloud providers and storage systems had in the tree, and projected ones, are not checked. */
export function podVolumes(volumes: readonly Struct[]): PodVolumes {
  const valid = new Map<string, boolean>();
  const faults: FieldFault[] = [];
  for (const volume of volumes) {
    const name = volume.text('name');
    const field = volume.at('name');
    const found = [
      ...sourceFaults(volume),
      ...(name === '' ? [required(field)] : invalidEach(field, name, dnsLabelErrors(name))),
      ...(valid.has(name) ? [duplicate(field, name)] : []),
    ];
    if (found.length === 0) valid.set(name, volume.has('persistentVolumeClaim') || volume.has('ephemeral'));
    faults.push(...found);
  }
  return { valid, faults };
}

/** The sources in the order in which the API server looks at them, which decides which one it accepts. */
const sources = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'flocker',
  'downwardAPI',
  'fc',
  'flexVolume',
  'configMap',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'storageos',
  'projected',
  'scaleIO',
  'csi',
  'ephemeral',
  'image',
];

function sourceFaults(volume: Struct): readonly FieldFault[] {
  const [first, ...more] = sources.filter((source) => volume.has(source));
  // as SetDefaults_Volume: without a source it is an empty directory
  if (first === undefined) return [];
  const source = volume.struct(first);
  return [
    ...(source === undefined ? [] : (sourceRules[first]?.(source) ?? [])),
    ...more.map((other) => forbidden(volume.at(other), 'may not specify more than 1 volume type')),
  ];
}

const sourceRules: Readonly<Record<string, (source: Struct) => readonly FieldFault[]>> = {
  emptyDir: (source) => {
    const size = quantityOf(source.value('sizeLimit'));
    if (size === undefined) return [];
    if (size.quantity === undefined) return [undecodable(source.at('sizeLimit'), size.error)];
    return signOf(size.quantity) < 0
      ? [forbidden(source.at('sizeLimit'), 'SizeLimit field must be a valid resource quantity')]
      : [];
  },
  hostPath: (source) =>
    source.text('path') === ''
      ? [required(source.at('path'))]
      : [
          ...backstepFaults(source.text('path'), source.at('path')),
          ...unsupported(source, 'type', hostPathTypes),
        ],
  secret: (source) => [
    ...(source.text('secretName') === '' ? [required(source.at('secretName'))] : []),
    ...fileFaults(source),
  ],
  configMap: (source) => [
    ...(source.text('name') === '' ? [required(source.at('name'))] : []),
    ...fileFaults(source),
  ],
  persistentVolumeClaim: (source) =>
    source.text('claimName') === '' ? [required(source.at('claimName'))] : [],
  ephemeral: (source) => {
    const template = source.struct('volumeClaimTemplate');
    return template === undefined
      ? [required(source.at('volumeClaimTemplate'))]
      : claimFaults(template.embedded('spec'));
  },
};

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

/** As validateSecretVolumeSource and validateConfigMapVolumeSource. */
function fileFaults(source: Struct): readonly FieldFault[] {
  return [
    ...modeFaults(source, 'defaultMode'),
    ...source.structs('items').flatMap((item) => {
      const target = item.text('path');
      return [
        ...(item.text('key') === '' ? [required(item.at('key'))] : []),
        ...(target === '' ? [required(item.at('path'))] : []),
        ...descendingFaults(target, item.at('path')),
        ...(target.startsWith('..') && !target.startsWith('../')
          ? [invalid(item.at('path'), target, "must not start with '..'")]
          : []),
        ...modeFaults(item, 'mode'),
      ];
    }),
  ];
}

function modeFaults(struct: Struct, name: string): readonly FieldFault[] {
  const mode = struct.integer(name);
  if (mode === undefined || (mode >= 0 && mode <= 0o777)) return [];
  return [invalid(struct.at(name), mode, 'must be a number between 0 and 0777 (octal), both inclusive')];
}

/** As validateLocalDescendingPath. */
export function descendingFaults(path: string, field: Field): readonly FieldFault[] {
  return [
    ...(path.startsWith('/') ? [invalid(field, path, 'must be a relative path')] : []),
    ...backstepFaults(path, field),
  ];
}

/** As validatePathNoBacksteps. */
function backstepFaults(path: string, field: Field): readonly FieldFault[] {
  return path.split('/').includes('..') ? [invalid(field, path, "must not contain '..'")] : [];
}
