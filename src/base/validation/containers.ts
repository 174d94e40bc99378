import { dnsLabelErrors } from '../names/name-errors.ts';
import { environmentFaults } from './container-environment.ts';
import {
  duplicate,
  forbidden,
  invalid,
  invalidEach,
  notFound,
  required,
  type Field,
  type FieldFault,
} from './field-fault.ts';
import { descendingFaults, type PodVolumes } from './pod-volumes.ts';
import { probeFaults } from './probes.ts';
import { requirementFaults } from './quantities.ts';
import { securityFaults } from './security-context.ts';
import type { Struct } from './struct.ts';
import { portNameErrors, portNumberFaults, unsupported } from './values.ts';

/** As validateContainers and validateInitContainers. Restart policies and resize policies of containers are not checked. */
export function containerFaults(pod: Struct, { valid: volumes }: PodVolumes): readonly FieldFault[] {
  const containers = pod.structs('containers');
  const initContainers = pod.structs('initContainers');
  const names = new Set(containers.map((container) => container.text('name')));
  return [
    ...(containers.length === 0 ? [required(pod.at('containers'))] : []),
    ...containers.flatMap((container) => [...commonFaults(container, volumes), ...probeFaults(container)]),
    ...nameFaults(containers, new Set()),
    ...hostPortFaults(containers),
    ...initContainers.flatMap((container) => [
      ...commonFaults(container, volumes),
      ...(container.text('restartPolicy') === 'Always' ? probeFaults(container) : onlyForSidecars(container)),
      ...hostPortFaults([container]),
    ]),
    ...nameFaults(initContainers, names),
  ];
}

function nameFaults(containers: readonly Struct[], taken: Set<string>): readonly FieldFault[] {
  return containers.flatMap((container) => {
    const name = container.text('name');
    const isTaken = taken.has(name);
    taken.add(name);
    return isTaken ? [duplicate(container.at('name'), name)] : [];
  });
}

function onlyForSidecars(container: Struct): readonly FieldFault[] {
  return ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']
    .filter((name) => container.has(name))
    .map((name) =>
      forbidden(container.at(name), 'may not be set for init containers without restartPolicy=Always'),
    );
}

/** As validateContainerCommon. */
function commonFaults(container: Struct, volumes: PodVolumes['valid']): readonly FieldFault[] {
  const name = container.text('name');
  return [
    ...(name === ''
      ? [required(container.at('name'))]
      : invalidEach(container.at('name'), name, dnsLabelErrors(name))),
    ...(container.text('image') === '' ? [required(container.at('image'))] : []),
    ...unsupported(container, 'terminationMessagePolicy', ['File', 'FallbackToLogsOnError']),
    ...portsFaults(container.structs('ports')),
    ...environmentFaults(container),
    ...mountFaults(container, volumes),
    ...deviceFaults(container, volumes),
    ...unsupported(container, 'imagePullPolicy', ['Always', 'IfNotPresent', 'Never']),
    ...requirementFaults(container.embedded('resources')),
    ...securityFaults(container.struct('securityContext')),
  ];
}

/** As validateContainerPorts. */
function portsFaults(ports: readonly Struct[]): readonly FieldFault[] {
  const names = new Set<string>();
  return ports.flatMap((port) => {
    const name = port.text('name');
    const nameErrors = name === '' ? [] : portNameErrors(name);
    const isTaken = name !== '' && names.has(name);
    names.add(name);
    const number = port.integer('containerPort') ?? 0;
    const hostPort = port.integer('hostPort') ?? 0;
    return [
      ...invalidEach(port.at('name'), name, nameErrors),
      ...(isTaken && nameErrors.length === 0 ? [duplicate(port.at('name'), name)] : []),
      ...(number === 0
        ? [required(port.at('containerPort'))]
        : portNumberFaults(port.at('containerPort'), number)),
      ...(hostPort === 0 ? [] : portNumberFaults(port.at('hostPort'), hostPort)),
      ...unsupported(port, 'protocol', ['SCTP', 'TCP', 'UDP']),
    ];
  });
}

/** As checkHostPortConflicts. */
function hostPortFaults(containers: readonly Struct[]): readonly FieldFault[] {
  const taken = new Set<string>();
  return containers.flatMap((container) =>
    container.structs('ports').flatMap((port) => {
      const hostPort = port.integer('hostPort') ?? 0;
      if (hostPort === 0) return [];
      const key = `${port.text('protocol') || 'TCP'}/${port.text('hostIP')}/${hostPort}`;
      if (taken.has(key)) return [duplicate(port.at('hostPort'), key)];
      taken.add(key);
      return [];
    }),
  );
}

/** As ValidateVolumeMounts. The API server prints some paths without the index of the mount. */
function mountFaults(container: Struct, volumes: PodVolumes['valid']): readonly FieldFault[] {
  const list = container.at('volumeMounts');
  const paths = new Set<string>();
  return container.structs('volumeMounts').flatMap((mount, index) => {
    const [name, path] = [mount.text('name'), mount.text('mountPath')];
    const isTaken = paths.has(path);
    paths.add(path);
    const subPaths = ['subPath', 'subPathExpr'].filter((field) => mount.text(field) !== '');
    const under = (field: string): Field => list.child(field, [index, field]);
    return [
      ...(name === '' ? [required(mount.at('name'))] : []),
      ...(volumes.has(name) ? [] : [notFound(mount.at('name'), name)]),
      ...(path === '' ? [required(mount.at('mountPath'))] : []),
      ...(isTaken ? [invalid(mount.at('mountPath'), path, 'must be unique')] : []),
      ...subPaths.flatMap((field) => descendingFaults(mount.text(field), under(field))),
      ...(subPaths.length === 2
        ? [
            invalid(
              mount.at('subPathExpr'),
              mount.text('subPathExpr'),
              'subPathExpr and subPath are mutually exclusive',
            ),
          ]
        : []),
      ...propagationFaults(mount, container, under('mountPropagation')),
    ];
  });
}

/** As validateMountPropagation. */
function propagationFaults(mount: Struct, container: Struct, field: Field): readonly FieldFault[] {
  if (mount.text('mountPropagation') !== 'Bidirectional') return [];
  if (container.struct('securityContext')?.isTrue('privileged') === true) return [];
  return [forbidden(field, 'Bidirectional mount propagation is available only to privileged containers')];
}

/** As ValidateVolumeDevices, without conflicts with mounts. */
function deviceFaults(container: Struct, volumes: PodVolumes['valid']): readonly FieldFault[] {
  return container.structs('volumeDevices').flatMap((device) => {
    const name = device.text('name');
    const isClaim = volumes.get(name);
    return [
      ...(name === '' ? [required(device.at('name'))] : []),
      ...(isClaim === undefined ? [notFound(device.at('name'), name)] : []),
      ...(isClaim === false
        ? [
            invalid(
              device.at('name'),
              name,
              'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
            ),
          ]
        : []),
      ...(device.text('devicePath') === '' ? [required(device.at('devicePath'))] : []),
    ];
  });
}
