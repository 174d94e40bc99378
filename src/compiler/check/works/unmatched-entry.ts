import { isConfigOf, isRuleOf, type ResourceIdentifier } from '../../../ocm/clusters/manifest-options.ts';
import { diagnostic, type Diagnostic } from '../../model/diagnostic.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { objectKey } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import { closest } from '../../model/suggestion.ts';
import { quote } from '../../model/words.ts';
import { manifestHolders, type ManifestHolder } from '../manifest-holders.ts';
import { isNamedBy, namedManifest, type NamedManifest } from '../named-manifest.ts';
import type { Rule } from '../rule.ts';

/** Reports entries of manifestConfigs and orphaning rules of works that match none of their manifests. The work agent ignores them. */
export const unmatchedEntry: Rule = {
  codes: ['FW8327'],
  *check({ inventory }) {
    for (const holder of manifestHolders(inventory)) {
      const entries = holder.isTemplate ? [] : [...entriesOf(holder)];
      if (entries.length === 0) continue;
      const manifests = holder.manifests.flatMap((manifest) => namedManifest(manifest) ?? []);
      for (const entry of entries) {
        const finding = unmatched(entry, holder, manifests);
        if (finding !== undefined) yield finding;
      }
    }
  },
};

/** What names manifests of a work. */
interface Entry {
  readonly identifier: ResourceIdentifier;
  /** The path of the entry in the spec of the work. */
  readonly path: FieldPath;
  /** Whether it is about a manifest. */
  readonly matches: (entry: ResourceIdentifier, resource: ResourceIdentifier) => boolean;
  /** What becomes of an entry that is about none. */
  readonly effect: string;
}

function* entriesOf({
  options: { manifestConfigs = [], deleteOption = {} },
}: ManifestHolder): Iterable<Entry> {
  for (const [index, { resourceIdentifier }] of manifestConfigs.entries())
    yield {
      identifier: resourceIdentifier,
      path: ['manifestConfigs', index, 'resourceIdentifier'],
      matches: isConfigOf,
      effect: 'this entry has no effect',
    };
  if (deleteOption.propagationPolicy !== 'SelectivelyOrphan') return;
  const { orphaningRules = [] } = deleteOption.selectivelyOrphans ?? {};
  for (const [index, rule] of orphaningRules.entries())
    yield {
      identifier: rule,
      path: ['deleteOption', 'selectivelyOrphans', 'orphaningRules', index],
      matches: isRuleOf,
      effect: `this rule${rule.name.includes('*') ? ', which has no wildcards,' : ''} keeps nothing: the objects are deleted with the work`,
    };
}

function unmatched(
  { identifier, path, matches, effect }: Entry,
  { holder, optionsPath }: ManifestHolder,
  manifests: readonly NamedManifest[],
): Diagnostic | undefined {
  // a separate rule reports a kind where the resource belongs
  const isKind = manifests.some(({ kind }) => kind.toLowerCase() === identifier.resource.toLowerCase());
  if (isKind || manifests.some((manifest) => isNamedBy(identifier, manifest, matches))) return undefined;
  const meant = meantBy(identifier, manifests);
  const isOfGroup = meant === undefined || meant.group === (identifier.group ?? '');
  const words = (named: ResourceIdentifier): string =>
    `${wordsOf(named)}${isOfGroup ? '' : ` of group ${quote(named.group ?? '')}`}`;
  const otherwise = 'write the group, the resource, the namespace and the name of a manifest';
  return diagnostic('FW8327', {
    message: `no manifest is ${words(identifier)}, so ${effect}`,
    ...pointAt(holder, [...optionsPath, ...path]),
    hint: meant === undefined ? otherwise : `did you mean ${words(meant)}? Otherwise ${otherwise}`,
  });
}

/** Returns the manifest that an entry probably means: the one of the resource with the same name, or else with a similar one. */
function meantBy(
  entry: ResourceIdentifier,
  manifests: readonly NamedManifest[],
): Required<ResourceIdentifier> | undefined {
  const ofResource = manifests
    .map(({ resource }) => resource)
    .filter(({ resource }) => resource === entry.resource);
  const same = ofResource.find(({ name }) => name === entry.name);
  if (same !== undefined) return same;
  const similar = closest(
    entry.name,
    ofResource.map(({ name }) => name),
  );
  return ofResource.find(({ name }) => name === similar);
}

/** Returns the object as messages name it: `deployments "shop/web"`. */
function wordsOf({ resource, namespace = '', name }: ResourceIdentifier): string {
  return `${resource} ${quote(objectKey(namespace, name))}`;
}
