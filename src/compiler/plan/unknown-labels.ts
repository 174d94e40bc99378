import { compareUtf8 } from '../../base/json/go-json.ts';
import { closest } from '../model/suggestion.ts';
import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import type { Resolution } from '../resolve.ts';

/**
 * Returns warnings for labels to count the reach by that no cluster has in either state of any app. Every cluster then counts as
 * one without the label. This is not an error, because labels can be added and removed at any time.
 */
export function unknownLabels(
  apps: readonly { readonly base: Resolution; readonly head: Resolution }[],
  labels: readonly string[],
): Diagnostic[] {
  if (labels.length === 0) return [];
  const existingLabels = new Set<string>();
  for (const { decisions } of apps.flatMap(({ base, head }) => [base, head])) {
    for (const { metadata } of decisions.clusters.values())
      for (const label of Object.keys(metadata.labels ?? {})) existingLabels.add(label);
  }
  // Every cluster has a cluster set, which is a label.
  if (existingLabels.size === 0) return [];
  return labels
    .filter((label) => !existingLabels.has(label))
    .map((label) =>
      diagnostic('FW8012', {
        message: `no cluster has the label "${label}", so counting by it has no effect`,
        hint: hintOf(label, existingLabels),
      }),
    );
}

/** The maximum number of labels to list if none is similar. */
const maxListed = 8;

function hintOf(label: string, labels: ReadonlySet<string>): string {
  const near = closest(label, labels);
  if (near !== undefined) return `did you mean "${near}"?`;
  // Labels without a prefix are user-defined.
  const isOwn = (key: string): boolean => !key.includes('/');
  const sorted = [...labels].sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)) || compareUtf8(a, b));
  return `the clusters have ${sorted.slice(0, maxListed).join(', ')}${sorted.length > maxListed ? ', …' : ''}`;
}
