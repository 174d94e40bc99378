import { compareUtf8 } from '../../base/json/go-json.ts';
import { findKind } from '../../../schemas/index.ts';
import type { ClusterManagementAddOnV1beta1 } from '../../../schemas/types.gen.ts';
import { configKindKey, type ConfigKind } from '../../ocm/referent.ts';
import { isJsonMap } from '../../base/json/json-map.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import type { ObjectReference } from '../model/diagnostic.ts';
import { objectKey, referenceTo, type Admitted, type Inventory, type Source } from '../model/inventory.ts';
import type { FieldPath } from '../model/field-path.ts';
import type { Location } from '../model/origin.ts';
import { asConverted } from '../admit/conversion/as-converted.ts';
import { inStableForm } from '../admit/conversion/stable-form.ts';
import { groupOf } from '../../base/names/resource-name.ts';
import type { Resolution } from '../resolve.ts';
import { withoutHubMetadata } from '../hub-metadata.ts';
import { withoutBookkeeping, withoutToolNotes } from './bookkeeping.ts';
import type { Side, ValueChange } from './change.ts';
import { compareValues, type Difference } from './compare-values.ts';
import { explainedObjects, type ExplainedParts } from './explained-objects.ts';

/** An edited field of an object. */
export type FieldChange = Omit<ValueChange, 'object'>;

/** An object that the inputs add, remove or edit. */
export interface ObjectChange extends ObjectReference {
  /** `ClusterManagementAddOn logging`, `AddOnDeploymentConfig agents/unused`. */
  readonly object: string;
  /** Whether an app writes it, or the fleet snapshot contains it. */
  readonly source: Source;
  readonly change: 'added' | 'removed' | 'edited';
  /** Whether the rest of the plan describes the effect of the edit on clusters, placements or permissions. */
  readonly explained: boolean;
  /**
   * The edited fields, in the order of the later object, then the removed ones. Empty if the whole object is added or removed.
   */
  readonly fields: readonly FieldChange[];
  /** The number of edited fields that `fields` omits. */
  readonly moreFields: number;
  readonly side: Side;
  readonly location: Location;
}

/** The differences between the objects of two states. */
export interface ComparedObjects {
  /**
   * The objects of apps, then those of the fleet snapshot, each sorted by name. Contains all fields, of which a plan shows some.
   */
  readonly changes: readonly ObjectChange[];
  /** The content of each of them in both states. */
  readonly contents: ReadonlyMap<ObjectChange, ObjectContents>;
}

/** The content of an object in both states, in the form in which the hub stores it. */
export interface ObjectContents {
  readonly before?: object;
  readonly after?: object;
}

/**
 * Returns the objects that differ between the two states, after the API server's defaulting and conversion.
 *
 * @param explained - returns whether the rest of the plan describes the edit of an object
 * @param allObjects - whether the base has every object. From a hub, only the objects that decide something are read. An object
 * that the hub does not have then counts as new only for the kinds that are always read. A field that only the hub's copy of an
 * object has is not an edit, because applying the files does not remove it.
 */
export function compareObjects(
  base: Pick<Resolution, 'inventory'>,
  head: Pick<Resolution, 'inventory'>,
  explained: ExplainedParts,
  allObjects: boolean,
): ComparedObjects {
  // Nearly all objects are one object in both states, and have one identity in each.
  const [ofBase, ofHead] = withoutSameEnds(base.inventory.objects, head.inventory.objects);
  const [before, after] = [objectsByKey(ofBase, ofHead), objectsByKey(ofHead, ofBase)];
  const isExplained = explainedObjects(explained);
  const locate = fieldLocations();
  const changes: ObjectChange[] = [];
  const contents = new Map<ObjectChange, ObjectContents>();
  const add = (change: ObjectChange, content: ObjectContents): void => {
    changes.push(change);
    contents.set(change, content);
  };
  for (const [key, admitted] of after) {
    if (!allObjects && admitted.source === 'fleet') continue;
    const earlier = before.get(key);
    if (earlier?.object === admitted.object) continue;
    // An object that an app writes now is new, even if the fleet snapshot had it.
    if (earlier === undefined || (allObjects && earlier.source !== admitted.source)) {
      if (!allObjects && !isListedOnHub(admitted)) continue;
      const change = { ...identityOf(admitted, 'added', 'head'), explained: isExplained(admitted) };
      add(change, { after: storedContentOf(admitted) });
      continue;
    }
    const { differences, from, to } = allObjects
      ? edits(earlier, admitted, base.inventory, head.inventory)
      : appliedEdits(earlier, admitted, base.inventory, head.inventory);
    const fields = differences.map(({ fieldPath, ...difference }): FieldChange => {
      const side: Side = 'after' in difference ? 'head' : 'base';
      return { ...difference, side, location: locate(side === 'head' ? to : from, fieldPath) };
    });
    const [first] = fields;
    if (first === undefined) continue;
    const { side, location = admitted.origin.location } = first;
    add(
      { ...identityOf(admitted, 'edited', side), location, explained: isExplained(admitted), fields },
      { before: storedContentOf(from), after: storedContentOf(to) },
    );
  }
  for (const [key, admitted] of allObjects ? before : []) {
    const isReplaced = after.get(key)?.source === admitted.source;
    if (!isReplaced && (admitted.source === 'app' || !after.has(key)))
      add({ ...identityOf(admitted, 'removed', 'base'), explained: isExplained(admitted) }, {});
  }
  changes.sort(
    (a, b) =>
      compareUtf8(a.source, b.source) || compareUtf8(a.object, b.object) || compareUtf8(a.change, b.change),
  );
  return { changes, contents };
}

function identityOf(
  admitted: Admitted,
  change: ObjectChange['change'],
  side: Side,
): Omit<ObjectChange, 'explained'> {
  const { object, source, origin } = admitted;
  return {
    ...referenceTo(object),
    object: `${object.kind} ${nameOf(admitted)}`,
    source,
    change,
    fields: [],
    moreFields: 0,
    side,
    location: origin.location,
  };
}

/** Returns two lists without the objects with which both begin, and those with which both end. A state has each object once. */
function withoutSameEnds(
  one: readonly Admitted[],
  other: readonly Admitted[],
): readonly [readonly Admitted[], readonly Admitted[]] {
  const isSame = (a: Admitted | undefined, b: Admitted | undefined): boolean =>
    a?.object === b?.object && a?.source === b?.source;
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && isSame(one[start], other[start])) start++;
  let end = 0;
  while (end < shorter - start && isSame(one.at(-1 - end), other.at(-1 - end))) end++;
  return [one.slice(start, one.length - end), other.slice(start, other.length - end)];
}

/** Returns the objects of a state, without those that the other state has from the same source. */
function objectsByKey(
  admittedObjects: readonly Admitted[],
  others: readonly Admitted[],
): ReadonlyMap<string, Admitted> {
  const sources = new Map(others.map(({ object, source }) => [object, source]));
  const objects = new Map<string, Admitted>();
  for (const admitted of admittedObjects) {
    if (sources.get(admitted.object) === admitted.source) continue;
    const { apiVersion, kind, metadata } = admitted.object;
    objects.set(keyOf(apiVersion, kind, metadata.namespace, metadata.name), admitted);
  }
  return objects;
}

function keyOf(apiVersion: string, kind: string, namespace: string | undefined, name = ''): string {
  return `${groupOf(apiVersion)}/${kind} ${objectKey(namespace, name)}`;
}

function nameOf({ object: { metadata } }: Admitted): string {
  return objectKey(metadata.namespace, metadata.name ?? '');
}

/**
 * The maximum number of fields of a fleet snapshot that get their own location. Each one requires a search in the text of its
 * object.
 */
const mostLocated = 200;

/**
 * Returns a function that locates fields. Once a fleet snapshot has more edits than the maximum, it returns the locations of
 * objects.
 */
function fieldLocations(): (object: Admitted, path: FieldPath) => Location {
  let located = 0;
  return ({ source, origin }, path) => {
    if (source === 'fleet') located++;
    return located > mostLocated && source === 'fleet' ? origin.location : origin.locate(path);
  };
}

/** The edits of an object, and the objects to which the paths refer. */
interface Edits {
  readonly differences: readonly Difference[];
  readonly from: Admitted;
  readonly to: Admitted;
}

function edits(earlier: Admitted, later: Admitted, base: Inventory, head: Inventory): Edits {
  // The same content in another version of the same kind is not an edit.
  const isConverted = earlier.object.apiVersion !== later.object.apiVersion;
  const [from, to] = isConverted ? [asRead(earlier, base), asRead(later, head)] : [earlier, later];
  const differences = compareValues(contentOf(from), contentOf(to));
  if (differences.length === 0) return { differences, from, to };
  // `5m` and `5m0s` are the same to the hub.
  const isSame = compareValues(contentOf(inForm(from)), contentOf(inForm(to))).length === 0;
  return { differences: isSame ? [] : differences, from, to };
}

/** Returns the object in the form in which the hub stores it. */
function inForm(admitted: Admitted): Admitted {
  return { ...admitted, object: inStableForm(admitted.object) };
}

/** Returns the edits that applying an object to a hub makes. */
function appliedEdits(before: Admitted, after: Admitted, base: Inventory, head: Inventory): Edits {
  const to = asRead(after, head);
  const from = inOrderOf(to, asRead(before, base));
  const isKnownKind = isKindOfHub(after.object);
  const differences = compareValues(
    withoutNotes(contentOf(inForm(asControllersWrite(from)))),
    withoutNotes(contentOf(inForm(asControllersWrite(to)))),
  ).filter(({ fieldPath: [first], ...sides }) => 'after' in sides || (isKnownKind && first === 'spec'));
  return { differences, from, to };
}

/**
 * Returns an add-on object with the empty fields that OCM's controllers write, such as `addOnMeta: {}` on OCM 1.3. They mean the same
 * as no field, but the applied object does not have them.
 */
function asControllersWrite(admitted: Admitted): Admitted {
  return { ...admitted, object: asConverted(admitted.object) };
}

/** Returns the object in the one version that the phases read. */
function asRead(admitted: Admitted, inventory: Inventory): Admitted {
  const maps: Readonly<Record<string, ReadonlyMap<string, Admitted<object>>>> = {
    ClusterManagementAddOn: inventory.clusterManagementAddOns,
    ManagedClusterAddOn: inventory.managedClusterAddOns,
    AddOnDeploymentConfig: inventory.addOnDeploymentConfigs,
  };
  const read = maps[admitted.object.kind]?.get(nameOf(admitted));
  return read === undefined ? admitted : { ...admitted, object: { ...admitted.object, ...read.object } };
}

/**
 * Returns a ClusterManagementAddOn of the hub with its kinds of configurations in the order in which the applied object has them.
 * The order has no effect: the API server identifies the entries by kind. Compiled delivery removes the entry of templates, so that its
 * place is not known.
 */
function inOrderOf({ object: applied }: Admitted, onHub: Admitted): Admitted {
  const [kinds, spec] = [configKindsOf(applied), onHub.object['spec']];
  if (kinds === undefined || configKindsOf(onHub.object) === undefined || !isJsonMap(spec)) return onHub;
  const positions = new Map(kinds.map((entry, index) => [configKindKey(entry), index]));
  const positionOf = (entry: ConfigKind): number => positions.get(configKindKey(entry)) ?? positions.size;
  const defaultConfigs = configKindsOf(onHub.object)?.toSorted((a, b) => positionOf(a) - positionOf(b));
  return { ...onHub, object: { ...onHub.object, spec: { ...spec, defaultConfigs } } };
}

/** Undefined for another kind of object, and if there are none. */
function configKindsOf({ kind, spec }: KubernetesObject): readonly ConfigKind[] | undefined {
  if (kind !== 'ClusterManagementAddOn' || !isJsonMap(spec)) return undefined;
  const { defaultConfigs } = spec as ClusterManagementAddOnV1beta1['spec'];
  return defaultConfigs;
}

function isKindOfHub({ apiVersion, kind }: Pick<KubernetesObject, 'apiVersion' | 'kind'>): boolean {
  return findKind(groupOf(apiVersion), kind) !== undefined;
}

/** Returns whether all objects of this kind are always read from a hub. */
function isListedOnHub({ source, object: { apiVersion, kind } }: Admitted): boolean {
  return source === 'app' && isKindOfHub({ apiVersion, kind }) && !kind.startsWith('ManifestWork');
}

/**
 * Returns the content of an object that people write. It omits the status and the metadata that the API server writes, which synth
 * does not emit. For the fleet snapshot it keeps the status, which is the purpose of a snapshot.
 */
function contentOf({ object, source }: Admitted): Content {
  // Keep the kind, because the content of a Secret is secret.
  const { apiVersion, status, metadata, ...rest } = object;
  // A fleet snapshot has the state of its objects. In an app, only what users write counts.
  const {
    labels = {},
    annotations = {},
    finalizers = [],
    ownerReferences = [],
  } = source === 'fleet' ? metadata : withoutHubMetadata(object);
  const isKnownKind = isKindOfHub(object);
  const { creationTimestamp, deletionTimestamp } = metadata;
  return {
    ...rest,
    ...(!isKnownKind && { apiVersion }),
    ...(source === 'fleet' && { status }),
    metadata: {
      labels: withoutToolNotes(labels),
      annotations: withoutToolNotes(annotations),
      finalizers,
      ownerReferences,
      ...(source === 'fleet' && { creationTimestamp, deletionTimestamp }),
    },
  };
}

function storedContentOf(admitted: Admitted): object {
  return contentOf(inForm(admitted));
}

interface Content {
  readonly metadata: {
    readonly [field: string]: unknown;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
}

/** Returns the content without the notes of the tools that apply objects. */
function withoutNotes({ metadata, ...rest }: Content): Content {
  const { labels, annotations } = metadata;
  return {
    ...rest,
    metadata: {
      ...metadata,
      labels: withoutBookkeeping(labels),
      annotations: withoutBookkeeping(annotations),
    },
  };
}
