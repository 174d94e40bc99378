import type { Configuration, EffectiveConfiguration } from '../configure/resolved-add-on.ts';
import type { HubVersion } from '../../ocm/hub-version.ts';
import type { Inventory } from '../inventory.ts';
import type { Decisions } from '../place/decision.ts';
import { imageRegistriesAnnotation } from './image-registries.ts';
import { readInputs } from './inputs.ts';
import { manifestRenderer } from './manifests.ts';
import type { RenderGroup } from './render-result.ts';

/**
 * Returns everything that is rendered from templates, by the key of its inputs. Clusters without a template or configuration are
 * in no group.
 */
export function renderGroups(
  inventory: Inventory,
  decisions: Decisions,
  configuration: Configuration,
  hub: HubVersion,
): ReadonlyMap<string, RenderGroup> {
  const groups = new Map<string, RenderGroup & { clusters: string[] }>();
  for (const resolved of configuration.values()) {
    if (!resolved.managed || !resolved.template) continue;
    // Most clusters share their configuration and have no annotation, so that one lookup is sufficient for them.
    const plain = new Map<EffectiveConfiguration, RenderGroup & { clusters: string[] }>();
    for (const { cluster, effective } of resolved.clusters.values()) {
      const managedCluster = decisions.clusters.get(cluster);
      if (managedCluster === undefined) continue;
      const isPlain = managedCluster.metadata.annotations?.[imageRegistriesAnnotation] === undefined;
      const alike = isPlain ? plain.get(effective) : undefined;
      if (alike !== undefined) {
        alike.clusters.push(cluster);
        continue;
      }
      const { template, config, annotation, key } = readInputs(
        resolved.name,
        effective.references,
        managedCluster,
        inventory,
      );
      const group = groups.get(key);
      if (group !== undefined) {
        group.clusters.push(cluster);
        if (isPlain) plain.set(effective, group);
      }
      if (group !== undefined || 'error' in template || (config !== undefined && 'error' in config)) continue;
      groups.set(key, {
        addOn: resolved.name,
        template,
        ...(config === undefined ? {} : { config }),
        ...(annotation === undefined ? {} : { annotation }),
        clusters: [cluster],
        manifests: manifestRenderer({
          addOn: resolved.name,
          template: template.object,
          config: config?.object,
          annotation,
          hub,
        }),
      });
    }
  }
  return groups;
}
