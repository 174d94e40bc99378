import { goJson } from '../../base/json/go-json.ts';
import { completedFields, completedManifest } from './completed-manifest.ts';
import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { validationFaults } from '../../base/validation/validation-faults.ts';
import { refusedChanges } from './immutable-fields.ts';
import { contentDifference, metadataDifference, type ManifestDifference } from './manifest-difference.ts';
import {
  serverSideApplyOf,
  updateStrategyOf,
  type ManifestOptions,
  type ResourceIdentifier,
  type ServerSideApplyOptions,
  type UpdateStrategy,
} from './manifest-options.ts';
import { mergedManifest } from './merged-manifest.ts';
import { removalWords, removedField } from './removed-field.ts';
import { metadataOnly, storedManifest } from './stored-manifest.ts';

/** A work that delivers an object. */
export interface Writer {
  readonly strategy: UpdateStrategy;
  readonly apply: ServerSideApplyOptions;
  /** The manifest, without fields that the agent leaves out. */
  readonly manifest: JsonMap;
  /** `group/Kind`. */
  readonly kind: string;
}

/** What the work agent does with the manifest of one work when it finds the object as another work wrote it. */
export type Effect =
  | { readonly kind: 'overwrites' }
  /**
   * The agent reports Applied=False. `why` names the immutable field; otherwise it is a conflict of field managers. It can be refused also if
   * it came first, once the other one has written anything, such as its owner reference.
   */
  | { readonly kind: 'refused'; readonly why?: string; readonly isAlways?: true }
  /** The agent reports Applied=True. */
  | { readonly kind: 'nothing' }
  /** It is refused if it comes later, and does nothing if it came first, because it ignores fields. */
  | { readonly kind: 'stale' }
  /** Both manifests hold. */
  | { readonly kind: 'merges' };

/** What becomes of an object that two works deliver to one cluster. */
export type Contest =
  | { readonly winner: 'alternating' }
  | {
      readonly winner: 'one' | 'other';
      readonly loser: Effect;
      /** What becomes of it if the cluster gets the loser first, where that matters. */
      readonly ifFirst?: { readonly contest: Contest | undefined };
    }
  /** The one that the agent applies first, which no input decides. */
  | {
      readonly winner: 'first';
      readonly one: Effect;
      readonly other: Effect;
      /** The work that is refused even if it came first. */
      readonly refusedAnyway?: 'one' | 'other';
    };

/** Returns how a work writes an object. */
export function writerOf(
  options: ManifestOptions,
  resource: ResourceIdentifier,
  kind: string,
  manifest: JsonMap,
): Writer {
  const apply = serverSideApplyOf(options, resource);
  const strategy = updateStrategyOf(options, resource);
  const isApplied = strategy === 'ServerSideApply';
  return {
    strategy,
    apply,
    kind,
    manifest: isApplied ? apply.leftOut.reduce(withoutSteps, manifest) : manifest,
  };
}

/** Returns a manifest without the field at a path. */
function withoutSteps(value: JsonMap, [step = '', ...rest]: readonly string[]): JsonMap {
  const { [step]: field, ...others } = value;
  if (field === undefined) return value;
  if (rest.length === 0) return others;
  return isJsonMap(field) ? { ...value, [step]: withoutSteps(field, rest) } : value;
}

/**
 * Returns what becomes of an object that two works deliver to one cluster, or undefined if both manifests hold. The agent applies each
 * work again every 4 to 6 min, as ManifestWorkController with ResyncInterval. A work that only creates the object gives way to one
 * that writes it.
 */
export function contestOf(one: Writer, other: Writer): Contest | undefined {
  const first = effectOf(one, other);
  const second = effectOf(other, one);
  const settled = (ofOne: Effect, ofOther: Effect): Contest | undefined =>
    settledContest([one, ofOne], [other, ofOther]);
  // a value that nothing overwrites is refused only in a manifest that comes later
  const again = [againOf(one, other, first), againOf(other, one, second)] as const;
  if (again[0] !== undefined && isWrittenBy(other, second))
    return { winner: 'other', loser: first, ifFirst: { contest: settled(again[0], second) } };
  if (again[1] !== undefined && isWrittenBy(one, first))
    return { winner: 'one', loser: second, ifFirst: { contest: settled(first, again[1]) } };
  return settled(first, second);
}

function isWritten({ kind }: Effect): boolean {
  return kind === 'overwrites' || kind === 'merges';
}

/** Whether a work writes an object that another one has written before. */
function isWrittenBy(writer: Writer, effect: Effect): boolean {
  return isWritten(effect) || isOnceOverwritten(writer, effect);
}

/** As ApplyService, which overwrites an object once, and does nothing afterwards. */
function isOnceOverwritten({ kind, strategy }: Writer, effect: Effect): boolean {
  return kind === '/Service' && strategy === 'Update' && effect.kind === 'nothing';
}

/** Returns what the agent does with the manifest of `writer` if it came first. Undefined if it is the same as if it came later. */
function againOf(writer: Writer, other: Writer, effect: Effect): Effect | undefined {
  if (effect.kind !== 'refused' || effect.isAlways === true) return undefined;
  const { manifest: existing, kind } = writer;
  const object =
    other.strategy === 'ServerSideApply'
      ? appliedTo(existing, other, writer)
      : storedManifest(kind, other.strategy, existing, other.manifest);
  const again = effectOf(writer, other, { object, isFirst: true });
  return again.kind === 'refused' ? undefined : again;
}

/** Returns what an object has once `writer` has applied its manifest over that of another one. */
function appliedTo(object: JsonMap, writer: Writer, other: Writer): JsonMap {
  // a manager gives up the fields that it no longer applies
  return isSameManager(writer, other)
    ? (storedManifest(writer.kind, 'ServerSideApply', object, writer.manifest) ?? object)
    : mergedManifest(object, writer.manifest);
}

function isSameManager(one: Writer, other: Writer): boolean {
  const areApplied = one.strategy === 'ServerSideApply' && other.strategy === 'ServerSideApply';
  return areApplied && one.apply.fieldManager === other.apply.fieldManager;
}

function settledContest(
  [one, first]: readonly [Writer, Effect],
  [other, second]: readonly [Writer, Effect],
): Contest | undefined {
  if (isOnceOverwritten(one, first) && second.kind === 'refused') return { winner: 'one', loser: second };
  if (isOnceOverwritten(other, second) && first.kind === 'refused') return { winner: 'other', loser: first };
  if (first.kind === 'merges') return isRefused(second) ? { winner: 'one', loser: second } : undefined;
  if (second.kind === 'merges') return isRefused(first) ? { winner: 'other', loser: first } : undefined;
  if (first.kind === 'overwrites' && second.kind === 'overwrites') return { winner: 'alternating' };
  if (first.kind === 'overwrites')
    return other.strategy === 'CreateOnly' ? undefined : { winner: 'one', loser: second };
  if (second.kind === 'overwrites')
    return one.strategy === 'CreateOnly' ? undefined : { winner: 'other', loser: first };
  return { winner: 'first', one: first, other: second, ...refusedAnyway(first, second) };
}

/** Whether a manifest is refused if it comes later. */
function isRefused({ kind }: Effect): boolean {
  return kind === 'refused' || kind === 'stale';
}

/** A refused manifest writes nothing, so that the other one holds. */
function refusedAnyway(first: Effect, second: Effect): { readonly refusedAnyway?: 'one' | 'other' } {
  if (first.kind === 'refused' && first.isAlways === true && second.kind !== 'refused')
    return { refusedAnyway: 'one' };
  if (second.kind === 'refused' && second.isAlways === true && first.kind !== 'refused')
    return { refusedAnyway: 'other' };
  return {};
}

/** What is known of an object when the agent looks at a manifest of it. */
interface Known {
  /** What the object has. */
  readonly object: JsonMap | undefined;
  /** Whether the agent created it from this manifest, so that the other work owns only what it has changed since. */
  readonly isFirst: boolean;
}

/** Returns what the agent does with the manifest of `writer` when the object is as `before` wrote it. */
function effectOf(
  writer: Writer,
  before: Writer,
  { object = before.manifest, isFirst }: Known = { object: undefined, isFirst: false },
): Effect {
  if (writer.strategy === 'ReadOnly' || before.strategy === 'ReadOnly') return { kind: 'merges' };
  if (writer.strategy === 'CreateOnly') return { kind: isSame(before, writer) ? 'merges' : 'nothing' };
  const isApplied = writer.strategy === 'ServerSideApply';
  const effect = isApplied ? applyEffect(writer, before, isFirst) : updateEffect(writer, before);
  // with Update, the agent has written before what it does not write again
  const isOnceWritten = isWritten(effect) || (!isApplied && effect.kind === 'nothing');
  if (!isOnceWritten) return effect;
  const written = isApplied ? appliedTo(object, writer, before) : writer.manifest;
  const [refused] = refusedChanges(writer.kind, object, written, writer.strategy);
  const [fault] = isApplied && !isSameManager(writer, before) ? validationFaults(written) : [];
  if (refused === undefined && fault !== undefined)
    return { kind: 'refused', why: `${fault.field}: ${fault.message}` };
  return refused === undefined ? effect : { kind: 'refused', why: refused.words };
}

/** Whether two manifests are the same object. */
function isSame({ manifest: one }: Writer, { manifest: other }: Writer): boolean {
  const differences = [
    contentDifference(completedManifest(one), completedManifest(other)),
    metadataDifference(one, other),
  ];
  return differences.every(isNone);
}

function isNone({ hasShared, hasFirst, hasSecond }: ManifestDifference): boolean {
  return !hasShared && !hasFirst && !hasSecond;
}

/** As UpdateApply: it replaces the content, and merges labels and annotations. */
function updateEffect({ kind, manifest }: Writer, before: Writer): Effect {
  // it sends the manifest whenever another one has written anything, as applyUnstructured
  const removed = removedField(kind, manifest);
  if (removed?.isWrittenAtOnce === true)
    return { kind: 'refused', why: removalWords(removed), isAlways: true };
  if (metadataDifference(before.manifest, manifest).hasShared) return { kind: 'overwrites' };
  const { hasShared, hasFirst, hasSecond } = contentDifference(ownedBy(before), completedManifest(manifest));
  const isReplaced = before.strategy !== 'ServerSideApply' && hasSecond;
  if (!hasShared && !hasFirst && !isReplaced) return { kind: 'merges' };
  if (metadataOnly.has(kind)) return { kind: 'nothing' };
  // as ApplyService: it looks at the selector, the type, and its own annotation, which the other one keeps
  const isService = kind === '/Service' && before.strategy === 'ServerSideApply';
  if (isService && (before.apply.isForced || !hasShared) && isSameService(before.manifest, manifest))
    return { kind: 'nothing' };
  return { kind: 'overwrites' };
}

/** Returns the fields that a work owns once it has created the object. With ServerSideApply, it owns no defaults. */
function ownedBy({ strategy, manifest }: Writer): JsonMap {
  return strategy === 'ServerSideApply' ? completedFields(manifest) : completedManifest(manifest);
}

function isSameService(one: JsonMap, other: JsonMap): boolean {
  const [first, second] = [one['spec'], other['spec']].map((spec) => {
    const { selector, type } = isJsonMap(spec) ? spec : {};
    return goJson([selector ?? null, type ?? 'ClusterIP']);
  });
  return first === second;
}

/** As ServerSideApply.Apply, with Updater.Apply of structured-merge-diff, which compares the manifest with what the API server stores. */
function applyEffect(writer: Writer, before: Writer, isFirst: boolean): Effect {
  const { kind, apply, manifest } = writer;
  const metadata = metadataDifference(before.manifest, manifest);
  const isApplied = before.strategy === 'ServerSideApply';
  // a manager gives up the fields that it no longer applies
  if (isSameManager(before, writer)) {
    const content = contentDifference(completedManifest(before.manifest), completedManifest(manifest));
    return { kind: [content, metadata].every(isNone) ? 'merges' : 'overwrites' };
  }
  // an update leaves the fields to their manager that it does not change
  const isKept = isFirst && !isApplied;
  const content = contentDifference(ownedBy(before), isKept ? completedFields(manifest) : manifest);
  // both write the hash of their manifest into the same annotation
  const ignoreFields = isApplied && before.apply.ignoresFields && apply.ignoresFields;
  const writeHash = ignoreFields && goJson(before.manifest) !== goJson(manifest);
  const hasShared = content.hasShared || metadata.hasShared || writeHash;
  const isStale = apply.ignoresFields && !writeHash && overwrites(before);
  if (hasShared) {
    if (apply.isForced) return { kind: isStale ? 'nothing' : 'overwrites' };
    return { kind: isStale ? 'stale' : 'refused' };
  }
  const isReplaced =
    before.strategy === 'Update' &&
    content.hasSecond &&
    !metadataOnly.has(kind) &&
    !(kind === '/Service' && isSameService(before.manifest, manifest));
  if (!isReplaced) return { kind: 'merges' };
  return { kind: isStale ? 'nothing' : 'overwrites' };
}

/** Whether a work takes over fields of another manager. */
function overwrites({ strategy, apply }: Writer): boolean {
  return strategy === 'Update' || apply.isForced;
}
