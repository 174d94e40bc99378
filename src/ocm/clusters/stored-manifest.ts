import { goJson } from '../../base/json/go-json.ts';
import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { contentOf } from './manifest-difference.ts';
import type { UpdateStrategy } from './manifest-options.ts';

/**
 * The kinds of which Update changes only labels and annotations of an object that exists. As ApplyNamespace, ApplyPod and
 * ApplyServiceAccount of library-go.
 */
export const metadataOnly: ReadonlySet<string> = new Set(['/Namespace', '/Pod', '/ServiceAccount']);

/** The fields that Update does not write into an object that exists. As ApplyConfigMap and ApplySecret of library-go. */
const unwritten: Readonly<Record<string, string>> = {
  '/ConfigMap': 'immutable',
  '/Secret': 'immutable',
};

/**
 * Returns the fields that the agent has written into an object once it has applied a manifest.
 *
 * @param key - `group/Kind`
 * @param existing - the fields that it wrote before. Undefined if there is no object
 */
export function storedManifest(
  key: string,
  strategy: UpdateStrategy,
  existing: JsonMap | undefined,
  manifest: JsonMap,
): JsonMap | undefined {
  if (strategy === 'ReadOnly') return existing;
  if (existing === undefined) return withoutOverwritten(key, manifest);
  if (strategy === 'CreateOnly') return existing;
  const written = strategy === 'Update' ? updated(key, existing, manifest) : manifest;
  return withoutOverwritten(key, key === '/Service' ? withAddress(existing, written) : written);
}

/**
 * Returns a manifest without the fields that the cluster overwrites: the control plane writes the rules of a ClusterRole with an
 * aggregationRule, and the API server removes the configuration of an affinity that a Service does not have, as SetDefaults_Service.
 */
function withoutOverwritten(key: string, manifest: JsonMap): JsonMap {
  if (key === 'rbac.authorization.k8s.io/ClusterRole' && aggregates(manifest)) {
    const { rules: _, ...others } = manifest;
    return others;
  }
  const { spec } = manifest;
  if (key !== '/Service' || !isJsonMap(spec) || (spec['sessionAffinity'] ?? 'None') !== 'None')
    return manifest;
  const { sessionAffinityConfig: _, ...others } = spec;
  return { ...manifest, spec: others };
}

function aggregates({ aggregationRule }: JsonMap): boolean {
  const selectors = isJsonMap(aggregationRule) ? aggregationRule['clusterRoleSelectors'] : undefined;
  return Array.isArray(selectors) && selectors.length > 0;
}

/** As patchAllocatedValues of Kubernetes: a Service keeps its address, also None, unless its type has none. */
function withAddress(existing: JsonMap, manifest: JsonMap): JsonMap {
  const [before, after] = [existing['spec'], manifest['spec']].map((spec) => (isJsonMap(spec) ? spec : {}));
  const clusterIP = before?.['clusterIP'];
  const isKept = [before, after].every((spec) => spec?.['type'] !== 'ExternalName');
  if (!isKept || typeof clusterIP !== 'string' || (after?.['clusterIP'] ?? '') !== '') return manifest;
  return { ...manifest, spec: { ...after, clusterIP } };
}

/** As UpdateApply, which merges labels and annotations. */
function updated(key: string, existing: JsonMap, manifest: JsonMap): JsonMap {
  const { apiVersion, kind, metadata } = manifest;
  const [before, after] = [existing['metadata'], metadata].map((value) => (isJsonMap(value) ? value : {}));
  const merged = Object.fromEntries(
    ['labels', 'annotations'].flatMap((field) => {
      const values = [before?.[field], after?.[field]].filter(isJsonMap);
      return values.length === 0 ? [] : [[field, Object.assign({}, ...values) as JsonMap]];
    }),
  );
  const head = { apiVersion, kind, metadata: { ...after, ...merged } };
  if (metadataOnly.has(key)) return { ...head, ...contentOf(existing) };
  if (bindings.has(key)) return { ...head, ...withGroups(contentOf(manifest)) };
  const field = unwritten[key];
  if (field === undefined) return { ...head, ...contentOf(manifest) };
  const content = { ...contentOf(manifest), [field]: existing[field] };
  return {
    ...head,
    ...Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined)),
  };
}

const bindings: ReadonlySet<string> = new Set(
  ['RoleBinding', 'ClusterRoleBinding'].map((kind) => `rbac.authorization.k8s.io/${kind}`),
);

/** As ApplyRoleBinding of library-go, which writes the group of the role and of users into an object that exists. */
function withGroups(content: JsonMap): JsonMap {
  const { roleRef, subjects } = content;
  const apiGroup = 'rbac.authorization.k8s.io';
  return {
    ...content,
    ...(isJsonMap(roleRef) && { roleRef: { ...roleRef, apiGroup } }),
    ...(Array.isArray(subjects) && {
      subjects: subjects.map((subject: unknown) =>
        isJsonMap(subject) && subject['kind'] === 'User' ? { ...subject, apiGroup } : subject,
      ),
    }),
  };
}

/**
 * Whether the agent deletes an object and creates it again, instead of updating it. If the API server then refuses the manifest, the
 * object is gone. As ApplyStorageClass, ApplyCSIDriver and ApplySecret of library-go.
 *
 * @param key - `group/Kind`
 */
export function isRecreated(key: string, strategy: UpdateStrategy, before: JsonMap, after: JsonMap): boolean {
  if (strategy !== 'Update') return false;
  const differs = (...fields: readonly string[]): boolean =>
    fields.some((field) => goJson(before[field] ?? null) !== goJson(after[field] ?? null));
  switch (key) {
    case 'storage.k8s.io/StorageClass': {
      // as storageClassNeedsRecreate, which compares what the API server wrote with the manifest
      const written = { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' };
      const isOther = Object.entries(written).some(
        ([field, otherwise]) => (before[field] ?? otherwise) !== after[field],
      );
      return isOther || differs('provisioner', 'parameters');
    }
    case 'storage.k8s.io/CSIDriver':
      return differs('spec');
    case '/Secret':
      return (
        (before['type'] ?? 'Opaque') !== (after['type'] ?? 'Opaque') ||
        // the API server refuses the update first
        (before['immutable'] === true && differs('data', 'stringData'))
      );
    default:
      return false;
  }
}
