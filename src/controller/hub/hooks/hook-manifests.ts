import {
  isGoJsonList,
  isGoJsonObject,
  type GoJsonObject,
  type GoJsonValue,
} from '../../../base/json/go-json.ts';
import { parseGoJson } from '../../../base/json/parse-json.ts';
import { groupVersionKind, nameOf } from '../../../base/objects/object-identity.ts';
import { hookResources } from '../../../ocm/hook-work.ts';

/**
 * Returns the hooks in an annotation, or the reason why they cannot be run. Anyone who can write a ManagedClusterAddOn can write the
 * annotation, so nothing else than Jobs and Pods is run.
 */
export function hookManifests(annotation: string): readonly GoJsonObject[] | { readonly error: string } {
  const parsed = parseGoJson(annotation);
  if ('error' in parsed) return { error: 'the annotation is not JSON' };
  const { value } = parsed;
  if (!isGoJsonList(value) || value.length === 0) return { error: 'the annotation is not a list of hooks' };
  const hooks: GoJsonObject[] = [];
  for (const hook of value) {
    if (!isGoJsonObject(hook) || !hookResources.has(groupVersionKind(hook).kind) || nameOf(hook) === '')
      return { error: 'the annotation contains something other than Jobs and Pods with names' };
    hooks.push(hook);
  }
  // The client writes numbers as JavaScript does.
  return hasLargeInteger(value) ? { error: 'the annotation contains an integer beyond 2^53' } : hooks;
}

function hasLargeInteger(value: GoJsonValue | undefined): boolean {
  if (isGoJsonList(value)) return value.some(hasLargeInteger);
  if (isGoJsonObject(value)) return Object.values(value).some(hasLargeInteger);
  return typeof value === 'bigint';
}
