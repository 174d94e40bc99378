import { oncePer } from '../../../base/collections/once-per.ts';
import { addToGroup } from '../../../base/collections/groups.ts';
import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { partsOf } from '../../../base/collections/joined-lists.ts';
import { compareUtf8 } from '../../../base/json/go-json.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { diagnostic, type Diagnostic, type RelatedLocation } from '../../model/diagnostic.ts';
import { objectKey } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import type { RenderGroup } from '../../render/render-result.ts';
import { closest } from '../../model/suggestion.ts';
import { clusterCount, quote } from '../../model/words.ts';
import { templateKey } from './rendered-sample.ts';
import type { Rule } from '../rule.ts';
import { isVariableName, templateTags } from './template-tag.ts';

/**
 * Reports variables without a value, which the hub silently replaces with nothing. If other clusters have a value, the template is right,
 * so that the finding is about the configuration.
 */
export const undefinedVariable: Rule = {
  codes: ['FW7101'],
  *check({ rendering }) {
    for (const use of joinedUses(partsOf(rendering.groups).map(usesOfPart)))
      yield* findingsAbout(use, rendering.groups);
  },
};

type Config = RenderGroup['config'];

/** A variable of a template. */
interface VariableUse {
  readonly tag: string;
  /** The first field that has it. */
  readonly path: FieldPath;
  readonly group: RenderGroup;
  /** Whether it has a value on any cluster. */
  readonly hasValue: boolean;
  /** The clusters on which it has none, by the configuration that they use. The lists have no cluster in common. */
  readonly clusters: ReadonlyMap<Config, readonly (readonly string[])[]>;
}

/** The uses of a part of the groups, by template, field and variable. They are kept as long as the part exists, see `partsOf`. */
type Uses = ReadonlyMap<string, VariableUse>;

const usesInGroup = oncePer(function* (group: RenderGroup): Iterable<readonly [string, VariableUse]> {
  const { values } = group.manifests.variables(group.clusters[0] ?? '') ?? {};
  if (values === undefined) return;
  for (const { tag, path } of templateTags(group)) {
    if (!isVariableName(tag)) continue;
    const hasValue = values.has(tag);
    const clusters = new Map(hasValue ? [] : [[group.config, [group.clusters]] as const]);
    yield [templateKey(group, ...path, tag), { tag, path, group, hasValue, clusters }];
  }
});

const keptUses = new WeakMap<readonly RenderGroup[], Uses>();

function usesOfPart(part: readonly RenderGroup[]): Uses {
  return getOrInsertComputed(keptUses, part, () => merged(part.map(usesInGroup)));
}

/** Returns the uses of all parts. A part is the groups of an add-on, so that few parts have a template in common. */
function joinedUses(parts: readonly Uses[]): Iterable<VariableUse> {
  const [only] = parts;
  return only !== undefined && parts.length === 1 ? only.values() : merged(parts).values();
}

function merged(lists: readonly Iterable<readonly [string, VariableUse]>[]): Uses {
  const sameUses = new Map<string, VariableUse[]>();
  for (const list of lists) for (const [key, use] of list) addToGroup(sameUses, key, use);
  return new Map(Array.from(sameUses, ([key, uses]) => [key, mergedUse(uses)]));
}

function mergedUse(uses: readonly VariableUse[]): VariableUse {
  const [first] = uses;
  if (first === undefined) throw new Error('there is no use');
  if (uses.length === 1) return first;
  const clusters = new Map<Config, (readonly string[])[]>();
  for (const use of uses)
    for (const [config, lists] of use.clusters) for (const list of lists) addToGroup(clusters, config, list);
  return { ...first, hasValue: uses.some(({ hasValue }) => hasValue), clusters };
}

function* findingsAbout(use: VariableUse, groups: readonly RenderGroup[]): Iterable<Diagnostic> {
  const { tag, path, group, hasValue, clusters } = use;
  if (clusters.size === 0) return;
  const other = new Map(clusters);
  for (const [config, lists] of hasValue && clusters.size <= mostSeparate ? clusters : []) {
    const finding = misspelledIn(config, lists, use, groups);
    if (finding === undefined) continue;
    other.delete(config);
    yield finding;
  }
  if (other.size === 0) return;
  yield diagnostic('FW7101', {
    message: `variable "${tag}"${inWords(use)} has no value on ${clusterNames([...other.values()].flat())}, so {{${tag}}} becomes an empty string`,
    ...pointAt(group.template, path),
    hint:
      tag === 'INSTALL_NAMESPACE' || tag === 'HUB_KUBECONFIG'
        ? unset[tag]
        : `give it a value in customizedVariables of the AddOnDeploymentConfig${hasValue ? '' : similar(use)}`,
    ...(hasValue && relatedConfigs(other.keys())),
  });
}

const unset = {
  INSTALL_NAMESPACE:
    'it has a value only where an AddOnDeploymentConfig with an agentInstallNamespace is used',
  HUB_KUBECONFIG: 'it has a value only where the template has registrations',
} as const;

/** Returns the finding about a variable of a configuration that is a misspelling of the template's; undefined if it has no such variable. */
function misspelledIn(
  config: Config,
  clusters: readonly (readonly string[])[],
  use: VariableUse,
  groups: readonly RenderGroup[],
): Diagnostic | undefined {
  if (config === undefined) return undefined;
  const { tag, path, group } = use;
  const names = (config.object.spec.customizedVariables ?? []).map(({ name }) => name);
  const written = closest(tag, names);
  if (written === undefined) return undefined;
  // Another field or another add-on can use the variable, which is then not misspelled.
  const isUsed = groups.some(
    (each) => each.config === config && each.manifests.texts.some(({ tags }) => tags.includes(written)),
  );
  if (isUsed) return undefined;
  return diagnostic('FW7101', {
    message: `the template has no variable "${written}", and its variable "${tag}"${inWords(use)} has no value on ${clusterNames(clusters)}, so {{${tag}}} becomes an empty string`,
    ...pointAt(config, ['spec', 'customizedVariables', names.indexOf(written), 'name']),
    hint: `did you mean "${tag}"?`,
    related: [{ message: 'the variable in the template', location: group.template.origin.locate(path) }],
  });
}

function similar({ tag, group }: VariableUse): string {
  const { values } = group.manifests.variables(group.clusters[0] ?? '') ?? {};
  const other = closest(tag, values?.keys() ?? []);
  return other === undefined ? '' : `; did you mean "${other}"?`;
}

/** The number of configurations that are reported one by one. More have one finding: a program wrote them, perhaps one for each cluster. */
const mostSeparate = 20;
/** The maximum number of clusters or configurations that a finding names. */
const mostNamed = 3;

function relatedConfigs(configs: Iterable<Config>): { readonly related?: readonly RelatedLocation[] } {
  const related = [...configs].flatMap((config): RelatedLocation[] => {
    if (config === undefined) return [];
    const { namespace, name = '' } = config.object.metadata;
    const location = config.origin.locate(['spec', 'customizedVariables']);
    return [
      { message: `AddOnDeploymentConfig ${quote(objectKey(namespace, name))} does not set it`, location },
    ];
  });
  return related.length === 0 ? {} : { related: related.slice(0, mostNamed) };
}

/** Returns `1 cluster ("a")`, or `4 clusters ("a", "b", "c" and 1 more)`. @param lists - sorted, without a cluster in common */
function clusterNames(lists: readonly (readonly string[])[]): string {
  const count = lists.reduce((sum, { length }) => sum + length, 0);
  const shown = lists
    .flatMap((names) => names.slice(0, mostNamed))
    .sort(compareUtf8)
    .slice(0, mostNamed);
  const more = count - shown.length;
  return `${clusterCount(count)} (${shown.map(quote).join(', ')}${more > 0 ? ` and ${more} more` : ''})`;
}

/** Returns ` in Deployment agent`: the manifest that has the variable. */
function inWords({ group, path }: VariableUse): string {
  const { manifests = [] } = group.template.object.spec.agentSpec.workload ?? {};
  const { kind, metadata } = (manifests[Number(path[4])] ?? {}) as {
    kind?: unknown;
    metadata?: { name?: unknown };
  };
  return typeof kind === 'string' && typeof metadata?.name === 'string' ? ` in ${kind} ${metadata.name}` : '';
}
