import { createHash } from 'node:crypto';
import { compareText } from '../../base/collections/compare-text.ts';
import { addToGroup } from '../../base/collections/groups.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { isNoDefault } from '../../ocm/default-config.ts';
import { configKindKey, referentKey, type Referent } from '../../ocm/referent.ts';
import { objectKey } from '../../compiler/model/inventory.ts';

/** The content of a placement with hub delivery: the configurations that its clusters use, unless they name their own. */
export interface PlacementContent {
  /** `namespace/name`. */
  readonly placement: string;
  /** What the placement names, and the defaults of the other kinds. */
  readonly configs: readonly Referent[];
}

/** Returns the content of each placement of a ClusterManagementAddOn in the order of its install strategy, by `namespace/name`. */
export function placementContents(addOn: KubernetesObject): ReadonlyMap<string, readonly Referent[]> {
  const defaults = defaultsOf(addOn);
  return new Map(entriesOf(addOn).map((entry) => [keyOf(entry), contentOf(entry, defaults)]));
}

function contentOf(entry: JsonMap, defaults: ReadonlyMap<string, readonly Referent[]>): readonly Referent[] {
  const own = byKind(referentsIn(entry['configs']));
  return [...own.values(), ...others(defaults, own)].flat();
}

/** Returns the hash of the content of a placement: which objects it names, in any order of their kinds. */
export function placementHash(configs: readonly Referent[]): string {
  const kinds = [...byKind(configs)].sort(([a], [b]) => compareText(a, b));
  // Files of promotions have the hash, so its text is independent of how lookups compare references.
  const text = kinds
    .flatMap(([, referents]) => referents)
    .map(({ group, resource, namespace = '', name }) => JSON.stringify([group, resource, namespace, name]))
    .join('\n');
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Returns a ClusterManagementAddOn whose placements have this content. A placement without content is left out. */
export function withPlacementContents(
  addOn: KubernetesObject,
  contents: ReadonlyMap<string, readonly Referent[]>,
): KubernetesObject {
  const { spec } = addOn;
  const strategy = isJsonMap(spec) ? spec['installStrategy'] : undefined;
  if (!isJsonMap(spec) || !isJsonMap(strategy)) return addOn;
  const defaults = defaultsOf(addOn);
  const placements = entriesOf(addOn).flatMap((entry) => {
    const content = contents.get(keyOf(entry));
    return content === undefined ? [] : [withConfigs(entry, content, defaults)];
  });
  return { ...addOn, spec: { ...spec, installStrategy: { ...strategy, placements } } };
}

/**
 * Returns the default configurations of an add-on of the kinds that a content has not. A placement cannot hold them back: it can
 * name other objects of a kind, but not none.
 */
export function unheldDefaults(addOn: KubernetesObject, configs: readonly Referent[]): readonly Referent[] {
  return [...others(defaultsOf(addOn), byKind(configs))].flat();
}

/** Returns the configurations of a content whose kinds an add-on does not support. */
export function unsupportedConfigs(
  addOn: KubernetesObject,
  configs: readonly Referent[],
): readonly Referent[] {
  const supported = new Set(declaredConfigs(addOn).map(configKindKey));
  return configs.filter((config) => !supported.has(configKindKey(config)));
}

function withConfigs(
  entry: JsonMap,
  content: readonly Referent[],
  defaults: ReadonlyMap<string, readonly Referent[]>,
): JsonMap {
  if (placementHash(contentOf(entry, defaults)) === placementHash(content)) return entry;
  const { configs: _, ...rest } = entry;
  const configs = [...byKind(content)].flatMap(([kind, referents]) =>
    isSame(referents, defaults.get(kind)) ? [] : referents,
  );
  return configs.length === 0 ? rest : { ...rest, configs };
}

function isSame(some: readonly Referent[], other: readonly Referent[] = []): boolean {
  return some.map(referentKey).join('\n') === other.map(referentKey).join('\n');
}

/** Returns the defaults of the kinds that a level does not name. Lists are replaced as a whole. */
function others(
  defaults: ReadonlyMap<string, readonly Referent[]>,
  named: ReadonlyMap<string, unknown>,
): readonly (readonly Referent[])[] {
  return [...defaults].flatMap(([kind, referents]) => (named.has(kind) ? [] : [referents]));
}

/** Returns the default configurations by kind. */
function defaultsOf(addOn: KubernetesObject): ReadonlyMap<string, readonly Referent[]> {
  return byKind(declaredConfigs(addOn).filter(({ name }) => !isNoDefault(name)));
}

/** Returns the supported kinds with their defaults, of either API version. The name is that of no object if a kind has no default. */
function declaredConfigs({ spec }: KubernetesObject): readonly Referent[] {
  if (!isJsonMap(spec)) return [];
  const { supportedConfigs, defaultConfigs } = spec;
  const ofKinds = isJsonList(supportedConfigs)
    ? supportedConfigs.map((kind) =>
        isJsonMap(kind) && isJsonMap(kind['defaultConfig']) ? { ...kind, ...kind['defaultConfig'] } : kind,
      )
    : [];
  const listed = isJsonList(defaultConfigs) ? defaultConfigs : [];
  return referentsIn([...ofKinds, ...listed]);
}

function entriesOf({ spec }: KubernetesObject): readonly JsonMap[] {
  const strategy = isJsonMap(spec) ? spec['installStrategy'] : undefined;
  const placements = isJsonMap(strategy) ? strategy['placements'] : undefined;
  return isJsonList(placements) ? placements.filter(isJsonMap) : [];
}

function keyOf({ namespace, name }: JsonMap): string {
  return objectKey(typeof namespace === 'string' ? namespace : undefined, String(name));
}

/** Returns the entries of a list of configurations, which is not validated. */
export function referentsIn(configs: unknown): readonly Referent[] {
  if (!isJsonList(configs)) return [];
  return configs.filter(isJsonMap).map(({ group, resource, namespace, name }) => ({
    group: typeof group === 'string' ? group : '',
    resource: String(resource),
    ...(typeof namespace === 'string' && namespace !== '' && { namespace }),
    name: typeof name === 'string' ? name : '',
  }));
}

/** Groups configurations by kind. Of equal ones the first counts, as on the hub. */
function byKind(configs: readonly Referent[]): ReadonlyMap<string, readonly Referent[]> {
  const kinds = new Map<string, Referent[]>();
  const seen = new Set<string>();
  for (const config of configs) {
    const key = referentKey(config);
    if (seen.has(key)) continue;
    seen.add(key);
    addToGroup(kinds, configKindKey(config), config);
  }
  return kinds;
}
