import { isClusterScoped } from '../../../schemas/cluster-scoped.ts';
import { addToGroup } from '../../../src/base/collections/groups.ts';
import type { JsonMap } from '../../../src/base/json/json-map.ts';
import { groupOf, guessResource } from '../../../src/base/names/resource-name.ts';
import type { ManifestOptions, ResourceIdentifier } from '../../../src/ocm/clusters/manifest-options.ts';
import type { ValidationCase } from '../../base/validation/cases/table.ts';
import { validationCases } from '../../base/validation/cases/validation-cases.ts';
import type { Random } from '../differential/random.ts';
import { generatedKinds } from './kinds/generated-kinds.ts';
import type { GeneratedKind } from './kinds/generated-kind.ts';

/** An entry of `manifestConfigs`. */
export type ManifestConfig = NonNullable<ManifestOptions['manifestConfigs']>[number];

/** A manifest that a work has first, and the one that it has after an update. */
export interface ManifestPair {
  /** `group/Kind`. */
  readonly key: string;
  readonly resource: Required<ResourceIdentifier>;
  /** How the agent writes it. Absent for the default. */
  readonly config?: ManifestConfig;
  readonly before: JsonMap;
  readonly after: JsonMap;
}

/** A namespace of every cluster. */
export const existingNamespace = 'default';
const missingNamespace = 'nowhere';

/** The update strategies, and how often they are drawn. */
const strategies = [
  { type: 'Update' },
  { type: 'Update' },
  { type: 'Update' },
  { type: 'ServerSideApply' },
  { type: 'ServerSideApply', serverSideApply: { force: true } },
  { type: 'CreateOnly' },
  { type: 'ReadOnly' },
] as const;

/** Returns a random manifest in two versions. Every fifth one comes from the cases of the validation, which are invalid in part. */
export function manifestPair(random: Random, id: string): ManifestPair {
  return random.chance(0.2)
    ? validatedPair(random, id)
    : generatedPair(random, id, random.pick(generatedKinds));
}

/** Returns a manifest of a kind in two versions, in a namespace that may be missing. */
function generatedPair(random: Random, id: string, generated: GeneratedKind): ManifestPair {
  const { namespace = existingNamespace } = generated;
  const places = [...Array<string>(8).fill(namespace), missingNamespace, ''];
  const strategy = random.pick(strategies);
  return pairOf(generated, id, { random, strategy, namespace: random.pick(places) });
}

interface Choices {
  readonly random: Random;
  readonly strategy: NonNullable<ManifestConfig['updateStrategy']>;
  readonly namespace: string;
}

/** Returns a manifest of a kind in two versions that differ at least in the label `version`. */
export function pairOf(
  { apiVersion, kind, isClusterScoped: isCluster, name: nameOf, content }: GeneratedKind,
  id: string,
  { random, strategy, namespace }: Choices,
): ManifestPair {
  const name = nameOf?.(id) ?? `m-${id}`;
  const place = isCluster === true ? '' : namespace;
  const manifest = (version: string): JsonMap => ({
    apiVersion,
    kind,
    metadata: { name, ...(place !== '' && { namespace: place }), labels: { version } },
    ...content(random, name),
  });
  return configured(manifest('one'), manifest('two'), strategy);
}

/** Cases whose names are no part of what is validated, by kind. The first one of each kind is accepted. */
const casesByKind = new Map<string, ValidationCase[]>();
for (const each of validationCases) {
  const isNamed = each.refused.some((text) => text.startsWith('metadata'));
  const kind = String(each.object['kind']);
  // the hub refuses works of more than 500 KiB
  const isLarge = JSON.stringify(each.object).length > 100_000;
  // the name of a definition depends on its other fields
  if (!isNamed && !isLarge && kind !== 'CustomResourceDefinition') addToGroup(casesByKind, kind, each);
}

/** Returns two cases of one kind, one of which is accepted. Either may be the first. */
function validatedPair(random: Random, id: string): ManifestPair {
  const cases = random.pick([...casesByKind.values()]);
  const [accepted = random.pick(cases)] = cases;
  const manifests = [accepted.object, random.pick(cases).object];
  if (random.chance(0.3)) manifests.reverse();
  const [before, after] = manifests.map((object, index) =>
    renamed(object, `m-${id}`, index === 0 ? 'one' : 'two'),
  );
  if (before === undefined || after === undefined) throw new Error('two manifests');
  return configured(before, after, random.pick(strategies));
}

/** Returns a case with another name, where it affects no other object and none affects it. */
function renamed(object: JsonMap, name: string, version: string): JsonMap {
  const { kind, metadata, spec } = object as { kind: string; metadata: JsonMap; spec?: JsonMap };
  const labels = { ...(metadata['labels'] as JsonMap | undefined), version };
  const place = limitingKinds.get(kind) ?? metadata['namespace'];
  return {
    ...object,
    metadata: { ...metadata, name, ...(place !== undefined && { namespace: place }), labels },
    // otherwise the API server adds a volume
    ...(kind === 'Pod' && { spec: { ...spec, automountServiceAccountToken: false } }),
  };
}

/** The namespaces of the kinds that limit others. */
const limitingKinds = new Map(
  generatedKinds.flatMap(({ kind, namespace }) => (namespace === undefined ? [] : [[kind, namespace]])),
);

function configured(before: JsonMap, after: JsonMap, strategy: Choices['strategy']): ManifestPair {
  const { apiVersion, kind, metadata } = before as {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: { readonly name: string; readonly namespace?: string };
  };
  const group = groupOf(apiVersion);
  const { name, namespace = '' } = metadata;
  const place = isClusterScoped(group, kind) ? '' : namespace;
  const resource = { group, resource: guessResource(kind), namespace: place, name };
  return {
    key: `${group}/${kind}`,
    resource,
    ...(strategy.type !== 'Update' && { config: { resourceIdentifier: resource, updateStrategy: strategy } }),
    before,
    after,
  };
}
