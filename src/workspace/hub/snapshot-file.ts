import { yamlDocument } from '../../compiler/emit/yaml.ts';
import { goJson } from '../../base/json/go-json.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { takenAtAnnotation } from '../../ocm/fleetwright-annotations.ts';
import { snapshotHead, type SnapshotHead } from './snapshot-head.ts';

/** YAML, or JSON with one line per object, from which large fleets load faster. */
export type SnapshotFormat = 'yaml' | 'json';

/**
 * Returns the text of a snapshot: a `v1` List that records when it was taken, to the second. The same objects at the
 * same time produce the same bytes. At another time, one line differs.
 */
export function* snapshotText(
  objects: Iterable<KubernetesObject>,
  described: SnapshotHead,
  format: SnapshotFormat,
): Generator<string> {
  const head = snapshotHead(described);
  if (format === 'json') {
    yield `${goJson(head).slice(0, -1)},"items":[`;
    let separator = '\n';
    for (const object of objects) {
      yield separator + goJson(object);
      separator = ',\n';
    }
    yield '\n]}\n';
    return;
  }
  yield yamlDocument(head);
  let isEmpty = true;
  for (const object of objects) {
    yield (isEmpty ? 'items:\n' : '') + yamlDocument([object]);
    isEmpty = false;
  }
  if (isEmpty) yield 'items: []\n';
}

/** The head of a snapshot is short and comes first. */
const headLength = 1024;
/** Other tools that rewrite the file drop the quotes, use other ones, or write the time as YAML 1.1 does: with a space and an offset. */
const takenAtPattern = new RegExp(
  String.raw`["']?${takenAtAnnotation.replaceAll('.', String.raw`\.`)}["']?:\s*["']?(\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|\+00:00))["']?`,
);

/**
 * Returns the time when a snapshot was taken, in milliseconds since the epoch; undefined if its head does not contain
 * it.
 */
export function takenAt(text: string): number | undefined {
  const found = takenAtPattern.exec(text.slice(0, headLength))?.[1];
  const time = found === undefined ? NaN : Date.parse(found);
  return Number.isNaN(time) ? undefined : time;
}

/** Whether the head of a snapshot says when it was taken, in a form that is no time. */
export function hasUnreadableTime(text: string): boolean {
  return text.slice(0, headLength).includes(takenAtAnnotation) && takenAt(text) === undefined;
}

/** Returns the text without the time at which it was taken. */
export function withoutTime(text: string): string {
  const head = text.slice(0, headLength);
  return head.replace(takenAtPattern, '') + text.slice(headLength);
}
