import { call, literal, name, object, unlessEmptyObject, type Expression } from '../code/expression.ts';
import type { FileSource, PodSpec, Volume } from './manifests.ts';
import { configMapOf, secretOf } from './named-objects.ts';
import type { WorkloadScope } from './workload-scope.ts';
import { enumValue, hasOthers, isExpressible, kplus, unlessDefault } from './field-code.ts';

/** Returns the volumes of a pod. A volume that is mounted several times gets a variable. */
export class Volumes {
  readonly #volumes: ReadonlyMap<string, Volume>;
  readonly #mounts = new Map<string, number>();
  readonly #scope: WorkloadScope;
  readonly #expressions = new Map<string, Expression | undefined>();

  constructor({ volumes = [], containers, initContainers = [] }: PodSpec, scope: WorkloadScope) {
    this.#scope = scope;
    this.#volumes = new Map(volumes.map((volume) => [volume.name, volume]));
    for (const { volumeMounts = [] } of [...initContainers, ...containers])
      for (const mount of volumeMounts) this.#mounts.set(mount.name, (this.#mounts.get(mount.name) ?? 0) + 1);
  }

  /** Returns the volume of a mount; undefined if no construct can express it. */
  mounted(volumeName: string): Expression | undefined {
    const existing = this.#expressions.get(volumeName);
    if (existing !== undefined) return existing;
    const volume = this.#volumes.get(volumeName);
    const value = volume && volumeOf(volume, this.#scope);
    const isShared = (this.#mounts.get(volumeName) ?? 0) > 1;
    const expression = value && isShared ? this.#scope.define(`${volumeName}-volume`, value) : value;
    this.#expressions.set(volumeName, expression);
    return expression;
  }

  /** Returns the volumes that no container mounts; undefined if no construct can express one of them. */
  unmounted(): Expression[] | undefined {
    const others = [...this.#volumes.values()].filter((volume) => !this.#mounts.has(volume.name));
    const expressions = others.map((volume) => volumeOf(volume, this.#scope));
    return expressions.every((volume) => volume !== undefined) ? expressions : undefined;
  }
}

const pathTypes = {
  '': 'DEFAULT',
  DirectoryOrCreate: 'DIRECTORY_OR_CREATE',
  Directory: 'DIRECTORY',
  FileOrCreate: 'FILE_OR_CREATE',
  File: 'FILE',
  Socket: 'SOCKET',
  CharDevice: 'CHAR_DEVICE',
  BlockDevice: 'BLOCK_DEVICE',
};

function volumeOf(volume: Volume, scope: WorkloadScope): Expression | undefined {
  const { configMap, secret, emptyDir, hostPath } = volume;
  const from = (method: string, source: Expression, options: Expression | undefined): Expression =>
    call(
      kplus('Volume'),
      method,
      name('scope'),
      scope.takeId(volume.name, `${volume.name}-volume`),
      source,
      options,
    );
  if (hasOthers(volume, 'name', 'configMap', 'secret', 'emptyDir', 'hostPath')) return undefined;
  if (configMap?.name !== undefined) {
    const options = fileOptions(volume.name, `configmap-${configMap.name}`, configMap, scope);
    return options && from('fromConfigMap', configMapOf(configMap.name, scope), unlessEmptyObject(options));
  }
  if (secret?.secretName !== undefined) {
    const options = fileOptions(volume.name, `secret-${secret.secretName}`, secret, scope);
    return options && from('fromSecret', secretOf(secret.secretName, scope), unlessEmptyObject(options));
  }
  if (hostPath !== undefined) {
    const type = enumValue('HostPathVolumeType', pathTypes, hostPath.type, '');
    if (!isExpressible(type)) return undefined;
    return from('fromHostPath', literal(volume.name), object({ path: scope.text(hostPath.path), type }));
  }
  if (emptyDir === undefined || hasOthers(emptyDir, 'medium')) return undefined;
  const medium = enumValue('EmptyDirMedium', { '': 'DEFAULT', Memory: 'MEMORY' }, emptyDir.medium);
  if (!isExpressible(medium)) return undefined;
  return from('fromEmptyDir', literal(volume.name), unlessEmptyObject(object({ medium })));
}

function fileOptions(
  volumeName: string,
  byDefault: string,
  source: FileSource,
  scope: WorkloadScope,
): Expression | undefined {
  const items = source.items?.map(({ key, path, mode }) => {
    return [key, object({ path: scope.text(path), mode: unlessDefault(mode) })] as const;
  });
  return object({
    name: unlessDefault(volumeName, byDefault),
    defaultMode: unlessDefault(source.defaultMode),
    optional: unlessDefault(source.optional),
    items: items && object(Object.fromEntries(items)),
  });
}
