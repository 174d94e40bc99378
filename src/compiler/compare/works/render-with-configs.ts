import { AddOnClusters } from '../../configure/add-on-clusters.ts';
import { configObjects } from '../../configure/config-objects.ts';
import { configKindKey, type Referent } from '../../../ocm/referent.ts';
import type { ConfigReference, EffectiveConfiguration } from '../../configure/resolved-add-on.ts';
import { compareUtf8 } from '../../../base/json/go-json.ts';
import type { HubVersion } from '../../../ocm/hub-version.ts';
import { render } from '../../render/render.ts';
import type { ClusterRendering } from '../../render/render-result.ts';
import type { Resolution } from '../../resolve.ts';
import { addOnGroup } from '../../../../schemas/groups.ts';

/** Parses a configuration of a template add-on in the form that users enter: `namespace/name`, or `name` of a template. */
export function parseConfigName(text: string): Referent {
  const [first = '', name] = text.split('/', 2);
  return name === undefined
    ? { group: addOnGroup, resource: 'addontemplates', name: first }
    : { group: addOnGroup, resource: 'addondeploymentconfigs', namespace: first, name };
}

/**
 * Returns what the hub would create from an add-on on one cluster if its ManagedClusterAddOn named these configurations. Each one
 * replaces all configurations of its kind. Undefined if the cluster does not have the add-on.
 */
export function renderWithConfigs(
  { inventory, decisions, configuration }: Resolution,
  { addOn, cluster }: { readonly addOn: string; readonly cluster: string },
  configs: readonly Referent[],
  hub: HubVersion,
): ClusterRendering | undefined {
  const resolved = configuration.get(addOn);
  const clusterAddOn = resolved?.clusters.get(cluster);
  if (resolved === undefined || clusterAddOn === undefined) return undefined;
  const objects = configObjects(inventory);
  const named = configs.map((config): ConfigReference => ({ ...config, specHash: objects.hash(config) }));
  const effective = withReferences(clusterAddOn.effective, named);
  const clusters = new AddOnClusters({ individual: new Map([[cluster, { ...clusterAddOn, effective }]]) });
  const alone = new Map([[addOn, { ...resolved, clusters }]]);
  return render(inventory, decisions, alone, { hub }).value.predicted(addOn, cluster);
}

/** Adds a separate level above the cluster's level, which replaces whole kinds. */
function withReferences(
  effective: EffectiveConfiguration,
  named: readonly ConfigReference[],
): EffectiveConfiguration {
  const replaced = new Set(named.map(configKindKey));
  const remaining = effective.references.filter((reference) => !replaced.has(configKindKey(reference)));
  // The hub lists references by group and resource.
  const references = [...remaining, ...named].sort((a, b) => compareUtf8(configKindKey(a), configKindKey(b)));
  return { ...effective, references };
}
