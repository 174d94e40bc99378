import { compareUtf8 } from '../../encoding/go-json.ts';
import { findKindVersion } from '../../schemas/index.ts';
import type { ObjectReference } from '../diagnostic.ts';
import { objectKey, referenceTo, type Admitted, type Inventory, type Source } from '../inventory.ts';
import type { FieldPath } from '../field-path.ts';
import type { Location } from '../origin.ts';
import { groupOf } from '../api/resource-name.ts';
import type { Resolution } from '../resolve.ts';
import { withoutBookkeeping, withoutToolNotes } from './bookkeeping.ts';
import type { Side, ValueChange } from './change.ts';
import { compareValues, type Difference } from './compare-values.ts';
import { explainedObjects, type ExplainedParts } from './explained-objects.ts';

/** A field of an object that was edited. */
export type FieldChange = Omit<ValueChange, 'object'>;

/** An object that the inputs add, remove or edit. */
export interface ObjectChange extends ObjectReference {
  /** `ClusterManagementAddOn logging`, `AddOnDeploymentConfig agents/unused`. */
  readonly object: string;
  /** Whether an app writes it, or the fleet snapshot has it. */
  readonly source: Source;
  readonly change: 'added' | 'removed' | 'edited';
  /** Whether the rest of the plan describes what the edit does: on clusters, to placements or to permissions. */
  readonly explained: boolean;
  /** What was edited, as in the later object, then what is gone. Empty where the whole object comes or goes. */
  readonly fields: readonly FieldChange[];
  /** How many more fields were edited than `fields` has. */
  readonly moreFields: number;
  readonly side: Side;
  readonly location: Location;
}

/** What is different in the objects of two states. */
export interface ComparedObjects {
  /** Those of apps first, then those of the fleet snapshot; each by name. With all fields: a plan shows some of them. */
  readonly changes: readonly ObjectChange[];
  /** What the new objects say, in the order of the later state. */
  readonly added: readonly object[];
}

/**
 * The objects that are not the same in both states, after what the API server does to them.
 *
 * @param explained - what the rest of the plan describes
 * @param allObjects - whether the base has every object. Of a hub only what decides is read: then an object that the hub does not
 * have counts as new only for the kinds that are always read, and what only the hub has of an object is no edit, since whoever
 * applies the files leaves it there.
 */
export function compareObjects(
  base: Resolution,
  head: Resolution,
  explained: ExplainedParts,
  allObjects: boolean,
): ComparedObjects {
  const before = writtenObjects(base);
  const after = writtenObjects(head);
  const isExplained = explainedObjects(explained);
  const locate = fieldLocations();
  const changes: ObjectChange[] = [];
  const added: object[] = [];
  for (const [key, written] of after) {
    if (!allObjects && written.source === 'fleet') continue;
    const earlier = before.get(key);
    if (earlier?.object === written.object) continue;
    // What an app writes now is new, though the fleet snapshot had it.
    if (earlier === undefined || (allObjects && earlier.source !== written.source)) {
      if (!allObjects && !isListedOnHub(written)) continue;
      changes.push({ ...identityOf(written, 'added', 'head'), explained: isExplained(written) });
      added.push(contentOf(written));
      continue;
    }
    const { differences, from, to } = allObjects
      ? edits(earlier, written, base.inventory, head.inventory)
      : appliedEdits(earlier, written, base.inventory, head.inventory);
    const fields = differences.map(({ fieldPath, ...difference }): FieldChange => {
      const side: Side = 'after' in difference ? 'head' : 'base';
      return { ...difference, side, location: locate(side === 'head' ? to : from, fieldPath) };
    });
    const [first] = fields;
    if (first === undefined) continue;
    const { side, location = written.origin.location } = first;
    changes.push({
      ...identityOf(written, 'edited', side),
      location,
      explained: isExplained(written),
      fields,
    });
  }
  for (const [key, written] of allObjects ? before : []) {
    const isReplaced = after.get(key)?.source === written.source;
    if (!isReplaced && (written.source === 'app' || !after.has(key)))
      changes.push({ ...identityOf(written, 'removed', 'base'), explained: isExplained(written) });
  }
  changes.sort(
    (a, b) =>
      compareUtf8(a.source, b.source) || compareUtf8(a.object, b.object) || compareUtf8(a.change, b.change),
  );
  return { changes, added };
}

function identityOf(
  written: Admitted,
  change: ObjectChange['change'],
  side: Side,
): Omit<ObjectChange, 'explained'> {
  const { object, source, origin } = written;
  return {
    ...referenceTo(object),
    object: `${object.kind} ${nameOf(written)}`,
    source,
    change,
    fields: [],
    moreFields: 0,
    side,
    location: origin.location,
  };
}

function writtenObjects({ inventory }: Resolution): ReadonlyMap<string, Admitted> {
  const objects = new Map<string, Admitted>();
  for (const written of inventory.written) {
    const { apiVersion, kind, metadata } = written.object;
    objects.set(keyOf(apiVersion, kind, metadata.namespace, metadata.name), written);
  }
  return objects;
}

function keyOf(apiVersion: string, kind: string, namespace: string | undefined, name = ''): string {
  return `${groupOf(apiVersion)}/${kind} ${objectKey(namespace, name)}`;
}

function nameOf({ object: { metadata } }: Admitted): string {
  return objectKey(metadata.namespace, metadata.name ?? '');
}

/** How many fields of a fleet snapshot get their own location; each costs a look into the text of its object. */
const mostLocated = 200;

/** Returns locations of fields; of a fleet snapshot that is edited throughout, those of objects from some number on. */
function fieldLocations(): (object: Admitted, path: FieldPath) => Location {
  let located = 0;
  return ({ source, origin }, path) => {
    if (source === 'fleet') located++;
    return located > mostLocated && source === 'fleet' ? origin.location : origin.locate(path);
  };
}

/** What was edited of an object, and the objects that its paths are paths in. */
interface Edits {
  readonly differences: readonly Difference[];
  readonly from: Admitted;
  readonly to: Admitted;
}

function edits(earlier: Admitted, later: Admitted, base: Inventory, head: Inventory): Edits {
  // In another version of the same kind the same is no edit.
  const isConverted = earlier.object.apiVersion !== later.object.apiVersion;
  const [from, to] = isConverted ? [asRead(earlier, base), asRead(later, head)] : [earlier, later];
  return { differences: compareValues(contentOf(from), contentOf(to)), from, to };
}

/** What applying an object to a hub edits. */
function appliedEdits(held: Admitted, written: Admitted, base: Inventory, head: Inventory): Edits {
  const [from, to] = [asRead(held, base), asRead(written, head)];
  const isKnownKind = findKindVersion(written.object.apiVersion, written.object.kind) !== undefined;
  const differences = compareValues(withoutNotes(contentOf(from)), withoutNotes(contentOf(to))).filter(
    ({ fieldPath: [first], ...sides }) => 'after' in sides || (isKnownKind && first === 'spec'),
  );
  return { differences, from, to };
}

/** In the one version that the phases read. */
function asRead(written: Admitted, inventory: Inventory): Admitted {
  const maps: Readonly<Record<string, ReadonlyMap<string, Admitted<object>>>> = {
    ClusterManagementAddOn: inventory.clusterManagementAddOns,
    ManagedClusterAddOn: inventory.managedClusterAddOns,
    AddOnDeploymentConfig: inventory.addOnDeploymentConfigs,
  };
  const read = maps[written.object.kind]?.get(nameOf(written));
  return read === undefined ? written : { ...written, object: { ...written.object, ...read.object } };
}

/** Whether a hub's objects of this kind are always read, all of them. */
function isListedOnHub({ source, object: { apiVersion, kind } }: Admitted): boolean {
  return (
    source === 'app' && findKindVersion(apiVersion, kind) !== undefined && !kind.startsWith('ManifestWork')
  );
}

/**
 * What people write of an object: not what the API server writes into its metadata, and of OCM's kinds not the status, but for the
 * fleet snapshot, which is about it.
 */
function contentOf({ object, source }: Admitted): Content {
  // The kind stays: of a Secret the content is secret.
  const { apiVersion, status, metadata, ...rest } = object;
  const { labels = {}, annotations = {}, finalizers = [], ownerReferences = [] } = metadata;
  const isKnownKind = findKindVersion(apiVersion, object.kind) !== undefined;
  const { creationTimestamp, deletionTimestamp } = metadata;
  return {
    ...rest,
    ...(!isKnownKind && { apiVersion }),
    ...((source === 'fleet' || !isKnownKind) && { status }),
    metadata: {
      labels: withoutToolNotes(labels),
      annotations: withoutToolNotes(annotations),
      finalizers,
      ownerReferences,
      ...(source === 'fleet' && { creationTimestamp, deletionTimestamp }),
    },
  };
}

interface Content {
  readonly metadata: {
    readonly [field: string]: unknown;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
}

/** Without what the tools that apply objects note on them. */
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
