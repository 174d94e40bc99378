import type { Loaded, LoadedObject, Location, SourceText } from '../../compiler/index.ts';
import { groupOf } from '../../base/names/resource-name.ts';

/** Annotations with which files control kustomize. */
const controlling = /^(?:internal\.)?config\.(?:kubernetes|k8s)\.io\/|^kustomize\.config\.k8s\.io\//;

/** A folded text: Go adds a line break before lines that are indented further. */
const folded = /(?:^|[\s:-])>[-+0-9]*[ \t]*(?:#.*)?$/m;

/**
 * Loads the files that a kustomization lists. kustomize builds the same objects, unless this function returns the name of a file
 * whose objects it may read differently or reject.
 */
export function loadListed(
  files: readonly SourceText[],
  load: (files: readonly SourceText[]) => Loaded,
): Loaded | string {
  const loaded = load(files);
  // Wherever kubectl and YAML 1.2 differ, kustomize may follow either.
  const [finding] = loaded.diagnostics;
  if (finding !== undefined) return fileOf(finding.location);
  const folding = files.find(({ text }) => folded.test(text));
  if (folding !== undefined) return folding.file;
  const identities = new Set<string>();
  for (const loadedObject of loaded.value) {
    const identity = plainIdentity(loadedObject);
    if (identity === undefined || identities.has(identity)) return fileOf(loadedObject.origin.location);
    identities.add(identity);
  }
  return { ...loaded, value: loaded.value.map(withoutEmptyAnnotations) };
}

/** kustomize drops annotations without an entry, and keeps labels without one. */
function withoutEmptyAnnotations(loaded: LoadedObject): LoadedObject {
  const { metadata } = loaded.object;
  if (!('annotations' in metadata) || Object.keys(metadata.annotations ?? {}).length > 0) return loaded;
  const { annotations: _, ...rest } = metadata;
  return { ...loaded, object: { ...loaded.object, metadata: rest } };
}

/** Returns what kustomize identifies an object by; undefined if kustomize may not keep the object as it is. */
function plainIdentity({ object }: LoadedObject): string | undefined {
  const { apiVersion, kind, metadata }: { apiVersion: unknown; kind: unknown; metadata?: unknown } = object;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || /^$|List$/.test(kind)) return undefined;
  if (typeof metadata !== 'object' || metadata === null) return undefined;
  const { name, namespace = 'default', annotations, labels } = metadata as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || name === '' || typeof namespace !== 'string') return undefined;
  if (!areTexts(annotations) || !areTexts(labels)) return undefined;
  if (Object.keys(annotations ?? {}).some((key) => controlling.test(key))) return undefined;
  return `${groupOf(apiVersion)}/${kind} ${namespace === '' ? 'default' : namespace}/${name}`;
}

function areTexts(value: unknown): value is Readonly<Record<string, string>> | undefined | null {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.values(value).every((each) => typeof each === 'string');
}

function fileOf(location: Location | undefined): string {
  return location !== undefined && 'file' in location ? location.file : '';
}
