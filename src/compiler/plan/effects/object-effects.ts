import type { ComparedObjects } from '../../compare/object-changes.ts';
import { contentHash, type ObjectEffect } from './plan-effects.ts';

/**
 * Returns the effects on objects that an app writes. A fleet snapshot describes the hub, and nothing applies it: its effects are those on
 * add-ons and Placements.
 */
export function objectEffects(app: string, { changes, contents }: ComparedObjects): ObjectEffect[] {
  return changes.flatMap((each): ObjectEffect[] => {
    if (each.source === 'fleet') return [];
    const { apiVersion, kind, namespace, name, change } = each;
    const { before, after } = contents.get(each) ?? {};
    return [
      {
        app,
        object: { apiVersion, kind, ...(namespace !== undefined && { namespace }), name },
        change,
        ...(before !== undefined && { before: contentHash(before) }),
        ...(after !== undefined && { after: contentHash(after) }),
      },
    ];
  });
}
