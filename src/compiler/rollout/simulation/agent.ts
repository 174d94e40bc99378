import type { ClusterAddOn, ConfigReference, ResolvedAddOn } from '../../configure/resolved-add-on.ts';
import { referentKey } from '../../../ocm/referent.ts';
import { hasTemplate, isReadForTemplates } from '../../configure/supported-kinds.ts';
import type { HubVersion } from '../../../ocm/hub-version.ts';

/** How an agent reacts to its works. */
export type Fate = 'succeeds' | 'fails' | 'is silent';

/** Returns the result of these configurations on any cluster with a healthy agent. */
export function fateOf(
  references: readonly ConfigReference[],
  { delivery, supportedConfigs, template }: Pick<ResolvedAddOn, 'delivery' | 'supportedConfigs' | 'template'>,
): Fate {
  if (template && !hasTemplate(references)) return 'is silent';
  // The companion hashes the hub's objects of other kinds that the add-on supports, such as Secrets. Git need not contain them.
  const isHashedThere = ({ group, resource }: ConfigReference): boolean =>
    delivery === 'compiled' &&
    !isReadForTemplates({ group, resource }) &&
    supportedConfigs.some((kind) => kind.group === group && kind.resource === resource);
  // As workConfigsMatchesAddon: an empty hash never matches.
  return references.some((reference) => reference.specHash === '' && !isHashedThere(reference))
    ? 'fails'
    : 'succeeds';
}

/**
 * Returns whether the hub's report on a placement counts the add-on. As desiredConfigsEqual of OCM's addonconfiguration graph,
 * which omits the cluster's overrides since 1.3.
 */
export function isCounted({ managedClusterAddOn }: ClusterAddOn, hub: HubVersion): boolean {
  const configs = managedClusterAddOn?.object.spec.configs ?? [];
  if (configs.length === 0) return true;
  if (!hub.countsConfiguredAddOns) return false;
  // It compares the lengths of the lists. The written list includes repetitions.
  return new Set(configs.map(referentKey)).size === configs.length;
}
