import { isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import { manifestLocationKey } from '../../../ocm/hosted-mode.ts';
import { preDeleteHook } from '../../../ocm/hook-work.ts';
import { deletionOrphan } from '../../render/works/hooks.ts';
import { diagnostic, type Diagnostic } from '../../model/diagnostic.ts';
import { objectKey } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import { closest } from '../../model/suggestion.ts';
import { quote } from '../../model/words.ts';
import type { Rule } from '../rule.ts';
import { manifestHolders, type ManifestHolder } from '../manifest-holders.ts';

/**
 * Reports annotations of manifests that are meant for OCM, and that it does not read: misspelled ones, labels in place of an annotation, and
 * annotations for add-ons on the manifests of works.
 */
export const unreadAnnotation: Rule = {
  codes: ['FW8328'],
  *check({ inventory }) {
    for (const holder of manifestHolders(inventory))
      for (const [index, manifest] of holder.manifests.entries()) yield* unreadIn(manifest, index, holder);
  },
};

/** The keys that OCM reads in manifests of add-ons: as an annotation, or as either. */
const readKeys: Readonly<Record<string, 'annotation' | 'either'>> = {
  [deletionOrphan]: 'annotation',
  // the label of earlier releases has another prefix
  [preDeleteHook]: 'either',
  [manifestLocationKey]: 'either',
};

function* unreadIn(
  { kind, metadata }: JsonMap,
  index: number,
  { holder, isTemplate, optionsPath }: ManifestHolder,
): Iterable<Diagnostic> {
  if (!isJsonMap(metadata)) return;
  for (const field of ['annotations', 'labels'] as const) {
    const values = metadata[field];
    for (const key of Object.keys(isJsonMap(values) ? values : {})) {
      const hint = hintOf(key, field, isTemplate);
      if (hint === undefined) continue;
      const { name, namespace } = metadata as { readonly name?: string; readonly namespace?: string };
      yield diagnostic('FW8328', {
        message: `OCM does not read the ${field.slice(0, -1)} ${quote(key)} of ${String(kind)} ${objectKey(namespace, name ?? '')}${isTemplate ? '' : ' in a work'}`,
        ...pointAt(holder, [...optionsPath, 'workload', 'manifests', index, 'metadata', field, key]),
        hint,
      });
    }
  }
}

/** Returns what works in place of a key that OCM does not read. Undefined if it reads the key, or if the key is not meant for it. */
function hintOf(key: string, field: 'annotations' | 'labels', isTemplate: boolean): string | undefined {
  const meant = Object.hasOwn(readKeys, key) ? key : meantKey(key);
  if (meant === undefined) return undefined;
  if (!isTemplate)
    return meant === deletionOrphan ? 'add an orphaning rule to deleteOption of the work' : undefined;
  const read = readKeys[meant];
  if (meant !== key) return `did you mean the annotation ${quote(meant)}?`;
  return read === 'annotation' && field === 'labels' ? 'write it as an annotation' : undefined;
}

/** Returns the key that a misspelled one means: it has the same name, or a similar one, with a prefix of OCM or with none. */
function meantKey(key: string): string | undefined {
  const slash = key.lastIndexOf('/');
  const [prefix, name] = [key.slice(0, Math.max(slash, 0)), key.slice(slash + 1)];
  if (prefix !== '' && !prefix.endsWith('open-cluster-management.io')) return undefined;
  // the label of a hook in OCM before 1.3
  if (name === nameOf(preDeleteHook)) return undefined;
  const names = Object.keys(readKeys).map(nameOf);
  const meant = names.includes(name) ? name : closest(name, names);
  return Object.keys(readKeys).find((readKey) => nameOf(readKey) === meant);
}

function nameOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}
