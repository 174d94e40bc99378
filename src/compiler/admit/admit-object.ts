import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import {
  releasedKinds,
  type Kind,
  type KindVersion,
  type ServedKinds,
  type StructuralSchema,
} from '../../../schemas/index.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import type { Diagnostic, ObjectReference } from '../model/diagnostic.ts';
import type { Admitted, LoadedObject } from '../model/inventory.ts';
import { isClusterScoped } from '../../../schemas/cluster-scoped.ts';
import { groupOf } from '../../base/names/resource-name.ts';
import { defaultHubVersion, hubVersion, type HubVersion } from '../../ocm/hub-version.ts';
import { announcedFields } from './announced-fields.ts';
import { brokenRules } from './schema/cel-rules.ts';
import { applyDefaults, droppedNulls, dropNulls } from './schema/defaults.ts';
import { admitEmbedded } from './embedded.ts';
import { fieldName, toDiagnostic, type Fault } from './fault.ts';
import { withForeignDefaults } from './foreign-defaults.ts';
import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { kindOf } from './kind-of.ts';
import { duplicateEntries } from './schema/list-map.ts';
import { lostInConversion } from './conversion/lost-in-conversion.ts';
import { metadataFaults } from './metadata/metadata.ts';
import { customResourceName, foreignName, generatedName, nameFaults } from './metadata/name-of.ts';
import { decodeObjectMeta, describe, type DecodedMeta, type ReadMeta } from './metadata/object-meta.ts';
import { withDistinctOwners } from './metadata/owner-references.ts';
import { prune } from './schema/prune.ts';
import { schemaFaults } from './schema/schema-validator.ts';
import { inScope } from './scope.ts';
import { SimilarObjects } from './similar-objects.ts';
import { unconvertible, undecodable, unreadable, type Undecodable } from './schema/undecodable.ts';
import { unknownFields } from './schema/unknown-field.ts';

/** The result of the API server for one object. */
export interface Admission {
  /** The object in the version in which it was written, as the hub stores it; undefined if it is unreliable. */
  readonly object: Admitted | undefined;
  /** Whether the API server accepts the object, on creation with strict field validation. */
  readonly valid: boolean;
  /** The faults, in the order in which the API server checks, and other problems of the object. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Processes an object as the API server does on creation: decodes it, rejects unknown fields, sets defaults and validates. The
 * API server stops at the first stage with a fault; this function continues, so that it returns all faults. For objects of kinds
 * that are not OCM's, only the metadata is validated; a few of these kinds also get defaults.
 *
 * It differs from the API server in one point: the API server drops `status` on creation. Here statuses count, because they are
 * the state of the fleet, so `status` stays and is validated. An invalid status does not make the object invalid: in the fleet it
 * is an error, and an object of the app loses it, as on the hub.
 *
 * @param hub - its API server accepts the object
 */
export function admitObject(
  loaded: LoadedObject,
  shared?: SharedAdmissions,
  hub: HubVersion = hubVersion(defaultHubVersion),
): Admission {
  const { kinds } = hub;
  if (shared === undefined) return admitLoaded(loaded, undefined, kinds);
  const results = getOrInsertComputed(shared.results, kinds, () => new WeakMap());
  return getOrInsertComputed(results, loaded, () => admitLoaded(loaded, shared, kinds));
}

function admitLoaded(
  loaded: LoadedObject,
  shared: SharedAdmissions | undefined,
  served: ServedKinds,
): Admission {
  const { origin, source } = loaded;
  const loadedObject: JsonMap = loaded.object;
  const admissions = shared && admissionsOf(shared, loadedObject, served);
  const outcome = admissions?.get(loaded.object) ?? admitJson(loadedObject, served, shared?.similar);
  admissions?.set(loaded.object, outcome);
  const reference = referenceTo(loadedObject);
  const { object, remarks } = source === 'fleet' ? outcome : withoutInvalidStatus(outcome);
  const diagnostics = [...outcome.refusals, ...remarks].map((fault) =>
    toDiagnostic(fault, reference, origin),
  );
  const isUsable = diagnostics.every(({ severity }) => severity !== 'error');
  return {
    object: isUsable && object !== undefined ? { object, origin, source } : undefined,
    valid: outcome.refusals.length === 0,
    diagnostics,
  };
}

/** The objects that were admitted before. */
export interface SharedAdmissions {
  /**
   * By the kinds that a release changes, and by identity: `SharedTexts` ensures that equal content is the same object.
   *
   * @internal
   */
  readonly admissions: WeakMap<ServedKinds, WeakMap<KubernetesObject, AdmittedContent>>;
  /**
   * Admissions with the locations of their findings. An object that several states have at one location is admitted as one object.
   *
   * @internal
   */
  readonly results: WeakMap<ServedKinds, WeakMap<LoadedObject, Admission>>;
  /**
   * Objects that others may be similar to.
   *
   * @internal
   */
  readonly similar: SimilarObjects;
}

/** Returns an empty cache. */
export function noAdmissions(): SharedAdmissions {
  return { admissions: new WeakMap(), results: new WeakMap(), similar: new SimilarObjects() };
}

/** States on two releases have the same result for an object unless its kind differs between them. */
function admissionsOf(
  { admissions }: SharedAdmissions,
  { apiVersion, kind }: JsonMap,
  served: ServedKinds,
): WeakMap<KubernetesObject, AdmittedContent> {
  const ofRelease = (kinds: ServedKinds): WeakMap<KubernetesObject, AdmittedContent> =>
    getOrInsertComputed(admissions, kinds, () => new WeakMap());
  if (served === releasedKinds || typeof apiVersion !== 'string' || typeof kind !== 'string')
    return ofRelease(releasedKinds);
  const group = groupOf(apiVersion);
  return ofRelease(served.find(group, kind) === releasedKinds.find(group, kind) ? releasedKinds : served);
}

/** The result of the API server for an object's content, independent of its location. */
interface AdmittedContent {
  readonly object: KubernetesObject | undefined;
  /** Why the API server rejects the object. */
  readonly refusals: readonly Fault[];
  /** The problems that the API server accepts. */
  readonly remarks: readonly Fault[];
}

/**
 * Returns an object of the app as the API server creates it: without its status, if that is invalid. One finding is then enough.
 */
function withoutInvalidStatus({
  object,
  remarks,
}: AdmittedContent): Pick<AdmittedContent, 'object' | 'remarks'> {
  const first = remarks.find(({ code }) => code === 'FW2026');
  if (first === undefined || object === undefined) return { object, remarks };
  const { status: _, ...rest }: KubernetesObject & { readonly status?: unknown } = object;
  const dropped: Fault = {
    ...first,
    code: 'FW2030',
    message: `the API server drops the status of new objects, and this status is invalid: ${first.message}`,
    hint: 'remove the status; predictions use the statuses in the fleet snapshot',
  };
  return { object: rest, remarks: [...remarks.filter(({ code }) => code !== 'FW2026'), dropped] };
}

function admitJson(
  source: JsonMap,
  served: ServedKinds,
  similar: SimilarObjects | undefined,
): AdmittedContent {
  const { apiVersion, kind } = source;
  const untyped = missingType(source);
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || untyped.length > 0) {
    return { object: undefined, refusals: untyped, remarks: [] };
  }
  const kindVersion = kindOf(apiVersion, kind, served);
  if (kindVersion === 'foreign') return admitForeign(source, apiVersion, kind);
  if ('unknown' in kindVersion) {
    const foreign = admitForeign(source, apiVersion, kind);
    return { ...foreign, remarks: [kindVersion.unknown, ...foreign.remarks] };
  }
  if ('code' in kindVersion) return { object: undefined, refusals: [kindVersion], remarks: [] };
  return admitOfKind(source, kindVersion.kind, kindVersion.version, similar);
}

function missingType(source: JsonMap): Fault[] {
  return ['apiVersion', 'kind'].flatMap((key): Fault[] => {
    const value = source[key];
    if (typeof value === 'string' && value !== '') return [];
    const isAbsent = value === undefined || value === null || value === '';
    const message = isAbsent ? `${key} is missing` : `${key} must be a string, but is ${describe(value)}`;
    return [{ code: 'FW2001', field: [key], message }];
  });
}

function readMeta({ metadata }: JsonMap): DecodedMeta {
  const meta = decodeObjectMeta(metadata, ['metadata']);
  return { ...meta, value: withDistinctOwners(meta.value) };
}

function admitForeign(source: JsonMap, apiVersion: string, kind: string): AdmittedContent {
  const meta = readMeta(source);
  const rules = foreignName(apiVersion, kind);
  const refusals = [
    ...meta.malformed,
    ...meta.unknown,
    ...nameFaults(meta, rules),
    ...metadataFaults(meta.value, rules, ['metadata']),
  ];
  // the scope of other kinds is in their definitions, which are not read
  const scoped = isClusterScoped(groupOf(apiVersion), kind)
    ? inScope(meta, { scope: 'Cluster', kind })
    : { value: meta.value, remarks: [] };
  return {
    object: withMeta(withForeignDefaults(source, apiVersion, kind), apiVersion, kind, scoped.value),
    refusals,
    remarks: [...scoped.remarks, ...generatedName(meta.value)],
  };
}

function admitOfKind(
  source: JsonMap,
  kind: Kind,
  version: KindVersion,
  similar: SimilarObjects | undefined,
): AdmittedContent {
  const meta = readMeta(source);
  const scoped = inScope(meta, kind);
  const faults = [
    ...nameFaults(meta, customResourceName),
    ...metadataFaults(scoped.value, customResourceName, ['metadata']),
  ];
  const remarks = [...scoped.remarks, ...generatedName(meta.value)];
  const withScopedMeta = (object: JsonMap): KubernetesObject =>
    withMeta(object, `${kind.group}/${version.name}`, kind.kind, scoped.value);
  if (similar?.has(source, version) === true) {
    const refusals = [...meta.malformed, ...meta.unknown, ...faults];
    return { object: withScopedMeta(source), refusals, remarks };
  }
  const { schema } = version;
  const pruned = prune(source, schema);
  const withoutNulls = dropNulls(pruned.value, schema);
  const embedded = admitEmbedded(withoutNulls, schema);
  const complete = applyDefaults(embedded.value, schema);
  if (!isJsonMap(complete)) throw new Error('a map with defaults is a map');
  const decoding = [
    ...meta.malformed,
    ...embedded.malformed,
    ...meta.unknown,
    ...unknownFields(pruned.unknown, kind, version),
    ...embedded.unknown,
  ];
  const isDropped = ({ field }: Pick<Fault, 'field'>): boolean => version.status && field[0] === 'status';
  const content = [
    ...schemaFaults(complete, schema),
    ...embedded.invalid,
    ...duplicateEntries(complete, schema),
  ];
  const validation = [...faults, ...content.filter((fault) => !isDropped(fault))];
  const rules = validation.some(({ code }) => blocking.has(code)) ? [] : brokenRules(complete, schema);
  // if the schema already rejects a value, no further finding is needed
  const refused = new Set(content.map(({ field }) => fieldName(field)));
  const undecoded = undecodable(complete, schema).filter(({ field }) => !refused.has(fieldName(field)));
  const isStopped = (value: Undecodable): boolean => isConverted(kind, version) && !isDropped(value);
  const admitted = {
    object: withScopedMeta(complete),
    refusals: [...decoding, ...validation, ...rules, ...undecoded.filter(isStopped).map(unconvertible)],
    remarks: [
      ...content.filter(isDropped).map(statusFault),
      ...remarks,
      ...lostInConversion(complete),
      ...announcedFields(complete, version),
      ...undecoded.filter((value) => !isStopped(value)).map(unreadable),
      ...(withoutNulls === pruned.value ? [] : nullFaults(pruned.value, schema)),
    ],
  };
  if (complete === source && admitted.refusals.length === 0 && admitted.remarks.length === 0)
    similar?.add(source, version);
  return admitted;
}

/** Reports fields of the specification with nulls, which mean something else than was probably intended: a key whose value is missing. */
function nullFaults(value: unknown, schema: StructuralSchema): readonly Fault[] {
  return [...droppedNulls(value, schema)]
    .filter(([top]) => top !== 'metadata' && top !== 'status')
    .map((field) => ({
      code: 'FW2032',
      field,
      message: 'the value is null, and the API server removes the field, as if it were not written',
      hint: 'write a value, or remove the field',
    }));
}

// as customresource hasBlockingErr: if types, required fields, enums or limits are wrong, rules are not evaluated
const blocking: ReadonlySet<string> = new Set(['FW2006', 'FW2007', 'FW2008', 'FW2009', 'FW2011']);

/** Returns a fault of the status. The API server does not report it, because it drops the status of new objects. */
function statusFault(fault: Fault): Fault {
  return {
    ...fault,
    code: 'FW2026',
    hint: 'take the object from a hub with fleetwright fleet pull, correct the field, or remove the status',
  };
}

/**
 * Whether OCM's conversion webhook, which decodes it into Go types, converts the object before it is stored. The other kinds with
 * several versions are stored unchanged, with another apiVersion.
 */
function isConverted({ kind }: Kind, { storage }: KindVersion): boolean {
  return !storage && (kind === 'ClusterManagementAddOn' || kind === 'ManagedClusterAddOn');
}

/** Returns the object with the metadata that the hub stores. The hub writes managedFields itself. */
function withMeta(object: JsonMap, apiVersion: string, kind: string, meta: ReadMeta): KubernetesObject {
  if (meta.managedFields === undefined) return { ...object, apiVersion, kind, metadata: meta };
  const { managedFields: _, ...metadata } = meta;
  return { ...object, apiVersion, kind, metadata };
}

/** Returns the name of an unvalidated object in diagnostics. */
function referenceTo({ apiVersion, kind, metadata }: JsonMap): ObjectReference {
  const { name, namespace } = isJsonMap(metadata) ? metadata : {};
  return {
    apiVersion: typeof apiVersion === 'string' ? apiVersion : '',
    kind: typeof kind === 'string' ? kind : '',
    ...(typeof namespace === 'string' && namespace !== '' ? { namespace } : {}),
    name: typeof name === 'string' ? name : '',
  };
}
