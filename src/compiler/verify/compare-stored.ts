import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { isJsonMap } from '../../base/json/json-map.ts';
import { groupOf } from '../../base/names/resource-name.ts';
import { ocmKinds } from '../../../schemas/kinds.ts';
import type { ManagedClusterV1 } from '../../../schemas/types.gen.ts';
import { compareValues } from '../compare/compare-values.ts';
import type { SensitiveValues } from '../masks/sensitive-values.ts';
import { secretMask } from '../masks/secrets.ts';
import { clusterAfterWebhook } from '../place/clusters.ts';
import type { Difference } from './verification.ts';

/** An object as it is in Git, and as the hub would store it. */
export interface AnsweredObject {
  readonly emitted: KubernetesObject;
  /** The answer to a dry run. */
  readonly answered: KubernetesObject;
  /** The object on the hub. Undefined if it does not exist yet. */
  readonly live: KubernetesObject | undefined;
  /** The webhooks and admission policies of the hub that may change the object; undefined if they are unknown. */
  readonly mutators: readonly string[] | undefined;
  readonly masks: SensitiveValues;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Metadata that the API server writes. */
const serverMetadata: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
]);
const ocmKeys: ReadonlySet<string> = new Set(Object.values(ocmKinds).map(({ key }) => key));
/** Maximum number of characters of a value. */
const longestValue = 160;

/**
 * Returns the fields in which the hub would store something else than what is emitted. A field that only the object on the hub has
 * belongs to someone else, and stays. The API server completes objects of kinds that are not OCM's, so a new field counts there only
 * if something on the hub may have added it.
 */
export function compareStored(object: AnsweredObject): readonly Difference[] {
  const { emitted, live, mutators, masks } = object;
  const { apiVersion, kind } = emitted;
  const isCompleted = !ocmKeys.has(`${groupOf(apiVersion)}/${kind}`);
  const answered = withoutServerParts(object.answered);
  const changed = live && changedPaths(withoutServerParts(live), answered);
  const cause = mutators === undefined ? undefined : causeOf(mutators);
  return compareValues(expectedOf(object), answered, kind).flatMap(({ path, before, after, secret }) => {
    const isNew = before === undefined;
    if (changed !== undefined && !isWithin(path, changed)) return [];
    if (isNew && isCompleted && (mutators ?? []).length === 0) return [];
    // The webhook for clusters sets the time of the request.
    if (kind === ocmKinds.managedCluster.kind && path.endsWith('.timeAdded')) return [];
    const text = (value: unknown): string => valueText(secret ? secretMask : masks.masked(kind, path, value));
    return [
      {
        part: path,
        predicted: isNew ? 'no such field' : text(before),
        answered: after === undefined ? 'no such field' : text(after),
        ...(cause !== undefined && { cause }),
      },
    ];
  });
}

function expectedOf({ emitted, now }: AnsweredObject): unknown {
  const { kind } = emitted;
  const object = withoutServerParts(emitted);
  if (kind !== ocmKinds.managedCluster.kind) return object;
  // The API server has validated it.
  return clusterAfterWebhook(object as unknown as ManagedClusterV1, now);
}

/** The status belongs to controllers. The API server labels every namespace with its name, and empties it before its end. */
function withoutServerParts({ status: _, metadata, ...content }: KubernetesObject): object {
  const written = Object.entries(metadata).filter(
    ([field, value]) => !serverMetadata.has(field) && value !== undefined,
  );
  const { kind, spec, ...rest } = content;
  if (kind !== 'Namespace') return { ...content, metadata: Object.fromEntries(written) };
  const { 'kubernetes.io/metadata.name': _name, ...labels } = metadata.labels ?? {};
  const { finalizers: _finalizers, ...others } = isJsonMap(spec) ? spec : {};
  const own = written.filter(([field]) => field !== 'labels');
  return {
    kind,
    ...rest,
    metadata: { ...Object.fromEntries(own), ...(Object.keys(labels).length > 0 && { labels }) },
    ...(Object.keys(others).length > 0 && { spec: others }),
  };
}

function changedPaths(live: object, answered: object): readonly string[] {
  return compareValues(live, answered).map(({ path }) => path);
}

/** Whether a path is one of these, above or below one. */
function isWithin(path: string, changed: readonly string[]): boolean {
  return changed.some((other) => isBelow(path, other) || isBelow(other, path));
}

function isBelow(path: string, above: string): boolean {
  if (!path.startsWith(above)) return false;
  const next = path[above.length];
  return next === undefined || next === '.' || next === '[' || next === ' ';
}

function causeOf(mutators: readonly string[]): string | undefined {
  if (mutators.length === 0) return undefined;
  return mutators.length === 1 ? mutators[0] : `one of ${mutators.join(', ')}`;
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}
