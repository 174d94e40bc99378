import type { ManagedClusterV1 } from '../../../schemas/types.gen.ts';
import type { FieldPath } from '../model/field-path.ts';
import { goJson } from '../../base/json/go-json.ts';
import { taintWords } from '../place/explain/words.ts';
import { quote } from '../model/words.ts';

/** A difference in a cluster, described without the name of the cluster. */
export interface ClusterChange {
  readonly text: string;
  readonly path: FieldPath;
}

type Texts = Readonly<Record<string, string>>;

/** Returns the labels among `keys` that are different. */
export function labelChanges(
  before: ManagedClusterV1,
  after: ManagedClusterV1,
  keys: Iterable<string>,
): ClusterChange[] {
  return changedTexts('label', before.metadata.labels ?? {}, after.metadata.labels ?? {}, keys).map(
    ({ key, text }) => ({ text, path: ['metadata', 'labels', key] }),
  );
}

/** Returns the claims among `keys` that are different. */
export function claimChanges(before: Texts, after: Texts, keys: Iterable<string>): ClusterChange[] {
  return changedTexts('claim', before, after, keys).map(({ text }) => ({
    text,
    path: ['status', 'clusterClaims'],
  }));
}

/** Returns the taints that are added or removed, compared without `timeAdded`. */
export function taintChanges(before: ManagedClusterV1, after: ManagedClusterV1): ClusterChange[] {
  const earlier = new Set((before.spec?.taints ?? []).map(taintWords));
  const later = new Set((after.spec?.taints ?? []).map(taintWords));
  const path: FieldPath = ['spec', 'taints'];
  return [
    ...[...later]
      .filter((taint) => !earlier.has(taint))
      .map((taint) => ({ text: `taint ${taint} added`, path })),
    ...[...earlier]
      .filter((taint) => !later.has(taint))
      .map((taint) => ({ text: `taint ${taint} removed`, path })),
  ];
}

/** Returns whether anything is different that a CEL expression could read. */
export function isEdited(before: ManagedClusterV1, after: ManagedClusterV1): boolean {
  const content = ({ metadata, spec, status }: ManagedClusterV1): string =>
    goJson({ labels: metadata.labels ?? {}, annotations: metadata.annotations ?? {}, spec, status });
  return content(before) !== content(after);
}

/** Returns text such as `label env changed from "prod" to "dev"`. If a side is undefined, it has no such label. */
export function labelChangeText(key: string, before: string | undefined, after: string | undefined): string {
  return changeText('label', key, before, after);
}

function changedTexts(
  what: string,
  before: Texts,
  after: Texts,
  keys: Iterable<string>,
): { key: string; text: string }[] {
  const changes: { key: string; text: string }[] = [];
  for (const key of keys) {
    const from = before[key];
    const to = after[key];
    if (from !== to) changes.push({ key, text: changeText(what, key, from, to) });
  }
  return changes;
}

function changeText(
  what: string,
  key: string,
  before: string | undefined,
  after: string | undefined,
): string {
  if (before === undefined) return `${what} ${key} added with value ${quote(after ?? '')}`;
  if (after === undefined) return `${what} ${key} removed, it was ${quote(before)}`;
  return `${what} ${key} changed from ${quote(before)} to ${quote(after)}`;
}
