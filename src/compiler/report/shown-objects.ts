import { addToGroup } from '../../base/collections/groups.ts';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { goJson } from '../../base/json/go-json.ts';
import { isJsonMap } from '../../base/json/json-map.ts';
import { objectKey } from '../model/inventory.ts';
import { hubSuffix } from './plan-words.ts';
import { labelChangeText } from '../compare/cluster-changes.ts';
import type { ValueChange } from '../compare/change.ts';
import type { FieldChange } from '../compare/object-changes.ts';
import type { AppObjectChange, Plan } from '../plan/plan.ts';
import { withoutLocations } from '../compare/without-locations.ts';

/** Objects of one kind that change in the same way. */
export interface ShownObjects {
  /** `ClusterManagementAddOn`. */
  readonly kind: string;
  /** `namespace/name` of each. */
  readonly names: readonly string[];
  readonly change: AppObjectChange['change'];
  readonly fields: readonly FieldChange[];
  readonly moreFields: number;
  /** The side of the first object. */
  readonly side: AppObjectChange['side'];
  readonly location: AppObjectChange['location'];
}

/**
 * Returns the object changes that the add-ons and placements of a plan do not show: fields whose values are not among theirs, and
 * objects that are added or removed without an effect. Objects with the same change are one entry.
 */
export function shownObjects(plan: Plan): ShownObjects[] {
  const hubs = [...new Set(plan.objects.map(({ hub }) => hub))];
  if (hubs.length === 1 && hubs[0] === undefined) return shownOnHub(plan);
  const shown = new Map<string, ShownObjects & { readonly names: string[]; readonly hubs: Set<string> }>();
  for (const hub of hubs) {
    const isOnHub = (part: { readonly hub?: string }): boolean => part.hub === hub;
    const { addOns, placements, objects } = plan;
    const onHub = shownOnHub({
      ...plan,
      addOns: addOns.filter(isOnHub),
      placements: placements.filter(isOnHub),
      objects: objects.filter(isOnHub),
    });
    // The same change on several hubs is one entry.
    for (const { names, side, location, ...change } of onHub) {
      const key = goJson({ ...change, fields: change.fields.map(withoutLocations), names });
      const all = getOrInsertComputed(shown, key, () => ({
        ...change,
        names: [...names],
        side,
        location,
        hubs: new Set<string>(),
      }));
      all.hubs.add(hub ?? '');
    }
  }
  return Array.from(shown.values(), ({ hubs: onHubs, names, ...change }) => ({
    ...change,
    names: onHubs.size === hubs.length ? names : names.map((name) => `${name}${hubsSuffix([...onHubs])}`),
  }));
}

function hubsSuffix(hubs: readonly string[]): string {
  return hubs.length === 1 ? hubSuffix(hubs[0]) : ` (hubs ${hubs.join(', ')})`;
}

function shownOnHub(plan: Plan): ShownObjects[] {
  const shown = new Map<string, ShownObjects & { readonly names: string[] }>();
  const isCovered = coverage(plan);
  for (const change of plan.objects) {
    const fields = change.fields.filter((field) => !isCovered(change, field));
    const isShownElsewhere = change.explained && fields.length + change.moreFields === 0;
    if (isShownElsewhere) continue;
    const { kind, change: how, moreFields, side, location } = change;
    const place = fields[0] === undefined ? { side, location } : { side, location, ...placeOf(fields[0]) };
    const key = goJson([
      kind,
      how,
      fields.map(withoutLocations),
      moreFields,
      how === 'edited' ? '' : change.object,
    ]);
    const entry = getOrInsertComputed(shown, key, () => ({
      kind,
      names: [],
      change: how,
      fields,
      moreFields,
      ...place,
    }));
    entry.names.push(change.object.slice(kind.length + 1));
  }
  return [...shown.values()];
}

function placeOf({ side, location }: FieldChange): Partial<Pick<ShownObjects, 'side' | 'location'>> {
  return location === undefined ? {} : { side, location };
}

/** Kinds whose fields appear in other objects, because they embed these objects or because the hub copies the fields. */
const embedding: ReadonlySet<string> = new Set([
  'AddOnTemplate',
  'ManagedCluster',
  'ManagedClusterAddOn',
  'ManifestWork',
  'ManifestWorkReplicaSet',
]);

/** Returns whether the add-ons and placements of a plan show the same change of a value. */
function coverage({ addOns, placements }: Plan): (change: AppObjectChange, field: FieldChange) => boolean {
  const values = new Map<string, ValueChange[]>();
  const causes = new Map<string, Set<string>>();
  const uses = { before: new Set<string>(), after: new Set<string>() };
  const addCauses = (clusters: readonly string[], texts: readonly { readonly text: string }[]): void => {
    for (const cluster of clusters) {
      const shownCauses = getOrInsertComputed(causes, cluster, () => new Set<string>());
      for (const { text } of texts) shownCauses.add(text);
    }
  };
  for (const { groups } of addOns) {
    for (const group of groups) {
      addCauses(group.clusters, group.causes);
      for (const { before, after } of group.configs) {
        for (const { name } of before) uses.before.add(name);
        for (const { name } of after) uses.after.add(name);
      }
      for (const value of group.values) addToGroup(values, sidesKey(value), value);
    }
  }
  for (const { lost, gained } of placements)
    for (const selection of [...lost, ...gained]) addCauses(selection.clusters, selection.causes);
  return (change, field) => {
    if (!change.explained) return false;
    if (change.kind === 'ManagedCluster' && isCause(field, causes.get(change.name))) return true;
    if (/^(?:Cluster|Managed).*AddOn$/.test(change.kind) && isUse(field, uses)) return true;
    return (values.get(sidesKey(field)) ?? []).some(
      ({ object, path }) =>
        (object === change.object && path === field.path) ||
        (embedding.has(change.kind) && isEndOf(path, field.path)),
    );
  };
}

function sidesKey({ before, after }: Pick<ValueChange, 'before' | 'after'>): string {
  return goJson([before ?? null, after ?? null, before === undefined, after === undefined]);
}

/** Returns whether a path ends with another: `spec.workload.manifests[0].data.level` with `data.level`. */
function isEndOf(inner: string, path: string): boolean {
  if (!path.endsWith(inner)) return false;
  const rest = path.slice(0, path.length - inner.length);
  return inner === '' || inner.startsWith('[') || rest === '' || rest.endsWith('.');
}

/** The configurations that the plan shows as used, by `namespace/name`. */
type Uses = Readonly<Record<'before' | 'after', ReadonlySet<string>>>;

/** Returns whether an edit only names the configurations that the plan shows as used before and after. */
function isUse({ path, before, after }: FieldChange, uses: Uses): boolean {
  if (!/(?:^|\.|\])(?:defaultConfigs?|configs)(?:\[[^\]]*\])?(?:\.name)?$/.test(path)) return false;
  return isUsed(before, uses.before) && isUsed(after, uses.after);
}

/** Returns whether a reference, or the name in one, names a configuration in use. */
function isUsed(reference: unknown, names: ReadonlySet<string>): boolean {
  if (reference === undefined) return true;
  if (Array.isArray(reference)) return reference.every((entry) => isUsed(entry, names));
  if (typeof reference === 'string')
    return [...names].some((name) => name === reference || name.endsWith(`/${reference}`));
  if (!isJsonMap(reference) || typeof reference['name'] !== 'string') return false;
  const { namespace, name } = reference;
  return names.has(objectKey(typeof namespace === 'string' ? namespace : undefined, name));
}

/** Returns whether this edit of a cluster is one of the causes of a change on the cluster. */
function isCause({ path, before, after }: FieldChange, causes: ReadonlySet<string> | undefined): boolean {
  if (causes === undefined) return false;
  const [, label = path.startsWith('metadata.labels.') ? path.slice('metadata.labels.'.length) : undefined] =
    /^metadata\.labels\[(.*)\]$/.exec(path) ?? [];
  if (label !== undefined) return causes.has(labelChangeText(label, textOf(before), textOf(after)));
  const [, taint] = /^spec\.taints\[(.*)\]$/.exec(path) ?? [];
  return taint !== undefined && [...causes].some((text) => text.startsWith(`taint ${taint}`));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
