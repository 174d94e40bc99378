import { isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import {
  pathSteps,
  type IgnoredFieldList,
  type IgnoredFields,
} from '../../../ocm/clusters/ignored-fields.ts';
import { isConfigOf, type ManifestOptions } from '../../../ocm/clusters/manifest-options.ts';
import { diagnostic, type Diagnostic } from '../../model/diagnostic.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { pointAt } from '../../model/point-at.ts';
import { closest } from '../../model/suggestion.ts';
import { quote } from '../../model/words.ts';
import { manifestHolders, type ManifestHolder } from '../manifest-holders.ts';
import { isNamedBy, namedManifest } from '../named-manifest.ts';
import type { Rule } from '../rule.ts';

/**
 * Reports settings of ServerSideApply that the work agent does not use: those beside another strategy, and paths of ignoreFields that
 * ignore nothing. As ServerSideApply.Apply.
 */
export const unusedApplySetting: Rule = {
  codes: ['FW8337'],
  *check({ inventory }) {
    for (const holder of manifestHolders(inventory))
      for (const [index, config] of (holder.options.manifestConfigs ?? []).entries())
        yield* unusedIn(config, [...holder.optionsPath, 'manifestConfigs', index, 'updateStrategy'], holder);
  },
};

type Config = NonNullable<ManifestOptions['manifestConfigs']>[number];

function* unusedIn(
  { resourceIdentifier, updateStrategy }: Config,
  path: FieldPath,
  { holder, manifests }: ManifestHolder,
): Iterable<Diagnostic> {
  if (updateStrategy?.serverSideApply === undefined) return;
  const { type, serverSideApply } = updateStrategy;
  if (type !== 'ServerSideApply') {
    yield diagnostic('FW8337', {
      message: `the work agent does not read serverSideApply of the update strategy ${type}`,
      ...pointAt(holder, [...path, 'serverSideApply']),
      hint: 'write type: ServerSideApply, or remove serverSideApply',
    });
    return;
  }
  const configured = manifests.filter((manifest) => {
    const named = namedManifest(manifest);
    return named !== undefined && isNamedBy(resourceIdentifier, named, isConfigOf);
  });
  for (const [index, entry] of (serverSideApply.ignoreFields ?? []).entries())
    yield* pathsWithoutEffect(entry, configured).map(({ list, at, text, hint }) =>
      diagnostic('FW8337', {
        message: `${quote(text)} of ignoreFields ignores nothing`,
        ...pointAt(holder, [...path, 'serverSideApply', 'ignoreFields', index, list, at]),
        hint,
      }),
    );
}

/** A path that ignores nothing. */
interface PathWithoutEffect {
  readonly list: IgnoredFieldList;
  /** Its position in the list. */
  readonly at: number;
  readonly text: string;
  readonly hint: string;
}

/** How the paths of each list are written. */
const syntax: Readonly<Record<IgnoredFieldList, string>> = {
  jsonPaths:
    'a path begins with a dot, as .spec.replicas, and ends with the name of a field: use jsonPointers or jqPathExpressions for keys with dots and items of lists',
  jsonPointers: 'a pointer begins with a slash, as /spec/replicas',
  jqPathExpressions: 'an expression begins with a dot, as .spec.replicas',
};

/** Returns the paths that find nothing in any manifest. With the condition OnSpokeChange, no path counts. */
function pathsWithoutEffect(
  { condition, ...lists }: IgnoredFields,
  manifests: readonly JsonMap[],
): readonly PathWithoutEffect[] {
  if (condition === 'OnSpokeChange') return [];
  return (['jsonPaths', 'jsonPointers', 'jqPathExpressions'] as const).flatMap((list) =>
    (lists[list] ?? []).flatMap((text, at) => {
      const steps = pathSteps(list, text);
      if (steps === 'unknown') return [];
      if (steps === 'nothing') return [{ list, at, text, hint: syntax[list] }];
      const meant = meantName(steps, manifests);
      return meant === undefined ? [] : [{ list, at, text, hint: `did you mean ${quote(meant)}?` }];
    }),
  );
}

/** Returns the field that a misspelled step of a path means. Undefined if a manifest has the field, or none has a similar one. */
function meantName(steps: readonly string[], manifests: readonly JsonMap[]): string | undefined {
  const similar = new Set<string>();
  for (const manifest of manifests) {
    let value: unknown = manifest;
    for (const step of steps) {
      if (!isJsonMap(value)) break;
      if (!Object.hasOwn(value, step)) {
        const meant = closest(step, Object.keys(value));
        if (meant !== undefined) similar.add(meant);
      }
      value = value[step];
    }
    if (value !== undefined) return undefined;
  }
  const [meant] = similar;
  return meant;
}
