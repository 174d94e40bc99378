import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { isJsonMap } from '../../../base/json/json-map.ts';
import { kubernetesKinds, type KubernetesKind } from '../../../../schemas/kubernetes/kubernetes.ts';
import { removedKinds } from '../../../../schemas/kubernetes/removed-kinds.ts';
import { groupOf } from '../../../base/names/resource-name.ts';
import { closest, didYouMean } from '../../model/suggestion.ts';
import { quote } from '../../model/words.ts';
import { fieldFaults } from './field-faults.ts';
import { isMissing, isOutside, releaseWords, type ManifestFault } from './manifest-fault.ts';

const cache = new WeakMap<object, readonly ManifestFault[]>();

/**
 * Returns the faults that the API servers of managed clusters find in a manifest: its kind, its fields and their types, according
 * to the releases of Kubernetes. Kinds of other groups pass, because their CustomResourceDefinitions are unknown.
 *
 * @param definedGroups - the groups of the CustomResourceDefinitions that come with the manifest
 */
export function manifestFaults(
  manifest: object,
  definedGroups: ReadonlySet<string>,
): readonly ManifestFault[] {
  return getOrInsertComputed(cache, manifest, () => faultsOf(manifest, definedGroups));
}

function faultsOf(manifest: object, definedGroups: ReadonlySet<string>): readonly ManifestFault[] {
  const { apiVersion, kind } = manifest as { apiVersion?: unknown; kind?: unknown };
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !isJsonMap(manifest)) return [];
  // A variable can have any value.
  if (`${apiVersion}${kind}`.includes('{{')) return [];
  const served = kubernetesKinds().byVersion.get(apiVersion)?.get(kind);
  if (served === undefined) return unserved(apiVersion, kind, definedGroups);
  return [...servedElsewhen(apiVersion, kind, served), ...fieldFaults(manifest, served.type)];
}

const unknownKind = { code: 'FW7131', consequence: 'it is not applied' } as const;

function servedElsewhen(apiVersion: string, kind: string, served: KubernetesKind): ManifestFault[] {
  if (served.since === undefined && served.until === undefined) return [];
  const other = otherVersions(apiVersion, kind);
  return [
    {
      ...unknownKind,
      path: ['apiVersion'],
      what: `${kind} in ${apiVersion} exists only ${releaseWords(served)}`,
      ...(other.length === 0 ? {} : { hint: `the kind is also in ${other.join(', ')}` }),
      isIn: (minor) => isOutside(served, minor),
    },
  ];
}

function otherVersions(apiVersion: string, kind: string): string[] {
  return [...kubernetesKinds().byVersion].flatMap(([version, kinds]) =>
    version !== apiVersion && kinds.has(kind) ? [version] : [],
  );
}

function unserved(apiVersion: string, kind: string, definedGroups: ReadonlySet<string>): ManifestFault[] {
  const removed = removedKinds[apiVersion]?.[kind];
  if (removed !== undefined) {
    const { removed: minor, replacement } = removed;
    return [
      {
        ...unknownKind,
        path: ['apiVersion'],
        what: `Kubernetes 1.${minor} and later have no ${kind} in ${apiVersion}`,
        hint:
          replacement === undefined
            ? 'it has no replacement: remove the manifest'
            : `write apiVersion: ${replacement}, and adapt its fields`,
        isIn: (cluster) => cluster === undefined || cluster >= minor,
      },
    ];
  }
  const { byVersion } = kubernetesKinds();
  const group = groupOf(apiVersion);
  const groups = new Set([...byVersion.keys()].map(groupOf));
  const everywhere = [...byVersion].flatMap(([version, kinds]) => (kinds.has(kind) ? [version] : []));
  if (!groups.has(group)) return definedGroups.has(group) ? [] : misspelledGroup(group, kind, groups);
  // The kinds of an alpha version differ between releases.
  if (!byVersion.has(apiVersion) && /alpha/.test(apiVersion)) return [];
  const here = [...byVersion].flatMap(([version, kinds]) =>
    groupOf(version) === group ? [...kinds.keys()] : [],
  );
  const meant = closest(kind, here);
  return [
    {
      ...unknownKind,
      path: everywhere.length > 0 ? ['apiVersion'] : ['kind'],
      what: `Kubernetes has no ${kind} in ${apiVersion}`,
      ...hintOf(
        // kubectl splits lists into their items, a work agent does not
        kind === 'List'
          ? 'write the items of the list as manifests'
          : everywhere.length > 0
            ? `write apiVersion: ${everywhere.findLast((version) => !/alpha|beta/.test(version)) ?? everywhere.at(-1)}`
            : didYouMean(kind, here, 'its kinds are'),
      ),
      isIn: (minor) => isMissing(everywhere.length > 0 || meant !== undefined, minor),
    },
  ];
}

/** Returns the fault of a group whose name is similar to that of a Kubernetes group. */
function misspelledGroup(group: string, kind: string, groups: ReadonlySet<string>): ManifestFault[] {
  const { byVersion } = kubernetesKinds();
  const meant = closest(group, groups);
  const version = [...byVersion].findLast(([name, kinds]) => groupOf(name) === meant && kinds.has(kind))?.[0];
  if (meant === undefined || version === undefined) return [];
  return [
    {
      ...unknownKind,
      path: ['apiVersion'],
      what: `Kubernetes has no API group ${quote(group)} with ${kind}`,
      hint: `did you mean ${quote(version)}?`,
      isIn: () => true,
    },
  ];
}

function hintOf(hint: string | undefined): { hint?: string } {
  return hint === undefined ? {} : { hint };
}
