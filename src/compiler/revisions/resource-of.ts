import { groupOf } from '../../base/names/resource-name.ts';
import { addOnGroup } from '../../../schemas/groups.ts';

/**
 * Returns the plural of a kind of configurations that can be immutable: the compiler reads all references to it, and therefore can
 * rewrite them. The object may be unvalidated.
 */
export function resourceOf({
  apiVersion,
  kind,
}: {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
}): string | undefined {
  if (typeof apiVersion !== 'string' || groupOf(apiVersion) !== addOnGroup) return undefined;
  if (kind === 'AddOnTemplate') return 'addontemplates';
  return kind === 'AddOnDeploymentConfig' ? 'addondeploymentconfigs' : undefined;
}
