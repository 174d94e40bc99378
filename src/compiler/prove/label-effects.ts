import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type { FieldEdit } from './field-edit.ts';

/** An edit of one field: to a value that a selector compares, to any other value, or to none. */
export interface OneEdit extends Pick<FieldEdit, 'kind' | 'key' | 'to'> {
  /** Whether the field gets a value that no selector names. */
  readonly isOther?: true;
}

/** What one edit of a field does to the add-ons of clusters. */
export interface LabelEffect {
  readonly edit: OneEdit;
  /** The clusters on which the edit uninstalls something, sorted by name. */
  readonly clusters: readonly string[];
  /** The add-ons that it uninstalls from any of them, sorted. */
  readonly addOns: readonly string[];
  /** The number of uninstalls on all of these clusters together. */
  readonly uninstalls: number;
}

/** The result of one edit of one cluster. */
export interface EditOfCluster {
  readonly edit: OneEdit;
  readonly clusters: readonly string[];
  readonly uninstalled: readonly string[];
}

/** Returns the effects of equal edits on all clusters, those with the most uninstalls first. */
export function labelEffects(edits: readonly EditOfCluster[]): readonly LabelEffect[] {
  const groups = new Map<string, EditOfCluster[]>();
  for (const each of edits)
    if (each.uninstalled.length > 0)
      getOrInsertComputed(groups, JSON.stringify(each.edit), () => []).push(each);
  const effects = Array.from(groups.values(), (group): LabelEffect | undefined => {
    const [first] = group;
    if (first === undefined) return undefined;
    return {
      edit: first.edit,
      clusters: group.flatMap(({ clusters }) => clusters).sort(),
      addOns: [...new Set(group.flatMap(({ uninstalled }) => uninstalled))].sort(),
      uninstalls: group.reduce(
        (sum, { clusters, uninstalled }) => sum + clusters.length * uninstalled.length,
        0,
      ),
    };
  });
  return effects.flatMap((each) => each ?? []).sort((a, b) => b.uninstalls - a.uninstalls);
}
