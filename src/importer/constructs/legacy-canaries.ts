import { kindKey } from '../../base/names/resource-name.ts';
import { ocmKinds } from '../../../schemas/kinds.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import type { LoadedObject } from '../../compiler/model/inventory.ts';

/** The decision group that replaces the canaries of an older strategy, or why no group can. */
type CanaryGroup = { readonly name: string } | { readonly reason: string };

/**
 * In RollingUpdateWithCanary, the canaries were the clusters of a separate Placement. Now they are a decision group of the
 * Placement that installs the add-on. It selects clusters as a predicate does.
 */
export class LegacyCanaries {
  readonly #placements = new Map<string, LoadedObject>();
  /** The new decision groups of Placements, by namespace and name of the Placement, then by those of the canaries. */
  readonly #newGroups = new Map<string, Map<string, JsonMap>>();

  constructor(loaded: readonly LoadedObject[]) {
    for (const each of loaded) {
      if (isPlacement(each)) this.#placements.set(keyOf(each.object.metadata), each);
    }
  }

  /** Converts the clusters that one placement selects into a decision group of another one. */
  group(canary: unknown, placement: JsonMap): CanaryGroup {
    const target = this.#placements.get(keyOf(placement));
    const canaries = isJsonMap(canary) ? this.#placements.get(keyOf(canary)) : undefined;
    if (target === undefined)
      return { reason: `placement ${String(placement['name'])} is not imported with it` };
    if (canaries === undefined) return { reason: 'that placement is not imported with it' };
    const selector = selectorOf(canaries);
    if (selector === undefined)
      return { reason: 'that placement does not select by labels and claims alone' };
    const newGroups = this.#newGroups.get(keyOf(placement)) ?? new Map<string, JsonMap>();
    const key = keyOf(canaries.object.metadata);
    const group = newGroups.get(key);
    if (group !== undefined) return { name: String(group['groupName']) };
    const groupNames = new Set(
      [...groupsOf(target), ...newGroups.values()].map(({ groupName }) => groupName),
    );
    const preferredName = canaries.object.metadata.name ?? 'canary';
    let groupName = preferredName;
    for (let n = 2; groupNames.has(groupName); n++) groupName = `${preferredName}-${n}`;
    newGroups.set(key, { groupName, groupClusterSelector: selector });
    this.#newGroups.set(keyOf(placement), newGroups);
    return { name: groupName };
  }

  /** Returns the Placement with its new groups. They come first, because a cluster belongs to the first group that matches it. */
  grouped(loaded: LoadedObject): LoadedObject {
    const { object } = loaded;
    if (!isPlacement(loaded) || this.#placements.get(keyOf(object.metadata)) !== loaded) return loaded;
    const newGroups = this.#newGroups.get(keyOf(object.metadata));
    if (newGroups === undefined) return loaded;
    const spec = mapIn(object, 'spec');
    const decisionStrategy = mapIn(spec, 'decisionStrategy');
    const groupStrategy = {
      ...mapIn(decisionStrategy, 'groupStrategy'),
      decisionGroups: [...newGroups.values(), ...groupsOf(loaded)],
    };
    const changed = { ...spec, decisionStrategy: { ...decisionStrategy, groupStrategy } };
    return { ...loaded, object: { ...object, spec: changed } };
  }
}

/** Whether an object is a Placement. Objects are translated before they are admitted, so any field may be missing. */
function isPlacement({ object }: LoadedObject): boolean {
  const { apiVersion, metadata }: JsonMap = object;
  return typeof apiVersion === 'string' && isJsonMap(metadata) && kindKey(object) === ocmKinds.placement.key;
}

function keyOf({ namespace, name }: { readonly namespace?: unknown; readonly name?: unknown }): string {
  return `${String(namespace)}/${String(name)}`;
}

function mapIn(object: JsonMap, field: string): JsonMap {
  const value = object[field];
  return isJsonMap(value) ? value : {};
}

function groupsOf({ object }: LoadedObject): JsonMap[] {
  const groups = mapIn(mapIn(mapIn(object, 'spec'), 'decisionStrategy'), 'groupStrategy')['decisionGroups'];
  return isJsonList(groups) ? groups.filter(isJsonMap) : [];
}

/** Returns the selector of a Placement, if a decision group can express everything in it. */
function selectorOf({ object }: LoadedObject): JsonMap | undefined {
  const { predicates, numberOfClusters } = mapIn(object, 'spec');
  if (!isJsonList(predicates) || predicates.length !== 1 || numberOfClusters !== undefined) return undefined;
  const [predicate] = predicates;
  const selector = isJsonMap(predicate) ? mapIn(predicate, 'requiredClusterSelector') : {};
  const fields = Object.keys(selector);
  const isConvertible = fields.every((field) => field === 'labelSelector' || field === 'claimSelector');
  return fields.length > 0 && isConvertible ? selector : undefined;
}
