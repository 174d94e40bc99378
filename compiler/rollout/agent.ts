import { addOnGroup } from '../configure/config-objects.ts';
import type { ClusterAddOn, ConfigReference, ResolvedAddOn } from '../configure/configuration.ts';
import type { HubVersion } from '../hub-version.ts';

/** How an agent takes what it gets. */
export type Fate = 'succeeds' | 'fails' | 'is silent';

/** What becomes of these configurations on any cluster where the agent is in order. */
export function fateOf(
  references: readonly ConfigReference[],
  { template }: Pick<ResolvedAddOn, 'template'>,
): Fate {
  const templates = references.filter(
    ({ group, resource }) => group === addOnGroup && resource === 'addontemplates',
  );
  // As FilterTemplateBasedAddOns: the template manager does not touch an add-on before its template has a hash.
  if (template && !templates.some(({ specHash }) => specHash !== '')) return 'is silent';
  // As workConfigsMatchesAddon: an empty hash never matches.
  return references.some(({ specHash }) => specHash === '') ? 'fails' : 'succeeds';
}

/**
 * Whether the hub's report on a placement counts the add-on. As desiredConfigsEqual of OCM's addonconfiguration graph, which
 * 1.3 made to leave out what the cluster overrides.
 */
export function isCounted({ written }: ClusterAddOn, hub: HubVersion): boolean {
  const configs = written?.object.spec.configs ?? [];
  if (configs.length === 0) return true;
  if (!hub.countsConfiguredAddOns) return false;
  // It compares the lengths of the lists, the written one with repetitions.
  const distinct = new Set(
    configs.map(({ group = '', resource, namespace = '', name }) =>
      JSON.stringify([group, resource, namespace, name]),
    ),
  );
  return distinct.size === configs.length;
}
