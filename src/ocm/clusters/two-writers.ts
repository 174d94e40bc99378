import { goJson } from '../../base/json/go-json.ts';
import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { refusedChanges } from './immutable-fields.ts';
import { contentDifference, contentOf, metadataDifference } from './manifest-difference.ts';
import {
  serverSideApplyOf,
  updateStrategyOf,
  type ManifestOptions,
  type ResourceIdentifier,
  type ServerSideApplyOptions,
  type UpdateStrategy,
} from './manifest-options.ts';
import { metadataOnly } from './stored-manifest.ts';

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
  /** The agent reports Applied=False. `why` names the immutable field; otherwise it is a conflict of field managers. */
  | { readonly kind: 'refused'; readonly why?: string }
  /** The agent reports Applied=True. */
  | { readonly kind: 'nothing' }
  /** It is refused if it comes later, and does nothing if it came first, because it ignores fields. */
  | { readonly kind: 'stale' }
  /** Both manifests hold. */
  | { readonly kind: 'merges' };

/** What becomes of an object that two works deliver to one cluster. */
export type Contest =
  | { readonly winner: 'alternating' }
  | { readonly winner: 'one' | 'other'; readonly loser: Effect }
  /** The one that the agent applies first, which no input decides. */
  | { readonly winner: 'first'; readonly one: Effect; readonly other: Effect };

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
    manifest: isApplied ? apply.leftOut.reduce(withoutField, manifest) : manifest,
  };
}

/** As removeFieldByJSONPath, for paths of names. */
function withoutField(manifest: JsonMap, path: string): JsonMap {
  const [first, ...steps] = path.split('.');
  if (first !== '' || steps.some((step) => !/^[\w-]+$/.test(step))) return manifest;
  return withoutSteps(manifest, steps);
}

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
  if (first.kind === 'merges' || second.kind === 'merges') return undefined;
  if (first.kind === 'overwrites' && second.kind === 'overwrites') return { winner: 'alternating' };
  if (first.kind === 'overwrites')
    return other.strategy === 'CreateOnly' ? undefined : { winner: 'one', loser: second };
  if (second.kind === 'overwrites')
    return one.strategy === 'CreateOnly' ? undefined : { winner: 'other', loser: first };
  return { winner: 'first', one: first, other: second };
}

/** Returns what the agent does with the manifest of `writer` when the object is as `before` wrote it. */
function effectOf(writer: Writer, before: Writer): Effect {
  if (writer.strategy === 'ReadOnly' || before.strategy === 'ReadOnly') return { kind: 'merges' };
  if (writer.strategy === 'CreateOnly') return { kind: 'nothing' };
  const effect = writer.strategy === 'Update' ? updateEffect(writer, before) : applyEffect(writer, before);
  if (effect.kind !== 'overwrites') return effect;
  const [refused] = refusedChanges(writer.kind, before.manifest, writer.manifest, writer.strategy);
  return refused === undefined ? effect : { kind: 'refused', why: refused.words };
}

/** As UpdateApply: it replaces the content, and merges labels and annotations. */
function updateEffect({ kind, manifest }: Writer, before: Writer): Effect {
  const content = contentDifference(before.manifest, manifest);
  const { hasShared, hasFirst } = content;
  if (metadataDifference(before.manifest, manifest).hasShared) return { kind: 'overwrites' };
  const isSame = goJson(contentOf(before.manifest)) === goJson(contentOf(manifest));
  const isChanged = before.strategy === 'Update' ? !isSame : hasShared || hasFirst;
  if (!isChanged) return { kind: 'merges' };
  if (metadataOnly.has(kind)) return { kind: 'nothing' };
  // as ApplyService: it looks at the selector, the type, and its own annotation, which the other one keeps
  const isService = kind === '/Service' && before.strategy === 'ServerSideApply';
  if (isService && (before.apply.isForced || !hasShared) && isSameService(before.manifest, manifest))
    return { kind: 'nothing' };
  return { kind: 'overwrites' };
}

function isSameService(one: JsonMap, other: JsonMap): boolean {
  const [first, second] = [one['spec'], other['spec']].map((spec) => {
    const { selector, type } = isJsonMap(spec) ? spec : {};
    return goJson([selector ?? null, type ?? 'ClusterIP']);
  });
  return first === second;
}

/** As ServerSideApply.Apply. */
function applyEffect({ kind, apply, manifest }: Writer, before: Writer): Effect {
  const [content, metadata] = [
    contentDifference(before.manifest, manifest),
    metadataDifference(before.manifest, manifest),
  ];
  const isApplied = before.strategy === 'ServerSideApply';
  // a manager gives up the fields that it no longer applies
  if (isApplied && before.apply.fieldManager === apply.fieldManager) {
    const differs = [content, metadata].some(
      ({ hasShared, hasFirst, hasSecond }) => hasShared || hasFirst || hasSecond,
    );
    return { kind: differs ? 'overwrites' : 'merges' };
  }
  // both write the hash of their manifest into the same annotation
  const writeHash = isApplied && before.apply.ignoresFields && apply.ignoresFields;
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
