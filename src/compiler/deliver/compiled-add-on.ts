import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { clustersAnnotation, defaultTemplateAnnotation } from '../../ocm/fleetwright-annotations.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { withAnnotations } from '../../ocm/annotations.ts';
import { isTemplate } from '../../ocm/referent.ts';
import { lifecycleAnnotation } from '../../ocm/lifecycle.ts';
import { isNoDefault } from '../../ocm/default-config.ts';

/**
 * Returns the ClusterManagementAddOn of an add-on with compiled delivery, in the form that the hub receives and in the version in
 * which it is written. Its lifecycle disables the addon-manager's installer. Templates are not among its configurations: if they
 * are listed, the addon-manager starts a template manager, which ignores the lifecycle, delivers too, and approves certificates.
 */
export function compiledAddOn(addOn: KubernetesObject, clusters: Iterable<string>): KubernetesObject {
  const { spec } = addOn;
  if (!isJsonMap(spec)) return addOn;
  const { supportedConfigs, defaultConfigs, ...others } = spec;
  const template = [supportedConfigs, defaultConfigs].map(defaultTemplate).find((name) => name !== undefined);
  const marked = withAnnotations(addOn, {
    [lifecycleAnnotation]: 'self',
    [clustersAnnotation]: Array.from(clusters, (cluster) => `${cluster}\n`).join(''),
    ...(template === undefined ? {} : { [defaultTemplateAnnotation]: template }),
  });
  return {
    ...marked,
    spec: {
      ...others,
      ...withoutTemplates({ supportedConfigs }),
      ...withoutTemplates({ defaultConfigs }),
    },
  };
}

function withoutTemplates(lists: Readonly<Record<string, unknown>>): JsonMap {
  return Object.fromEntries(
    Object.entries(lists).flatMap(([field, configs]) => {
      if (!isJsonList(configs)) return [];
      const others = configs.filter((config) => !namesTemplate(config));
      return others.length === 0 ? [] : [[field, others]];
    }),
  );
}

function defaultTemplate(configs: unknown): string | undefined {
  if (!isJsonList(configs)) return undefined;
  const config = configs.find(namesTemplate);
  if (!isJsonMap(config)) return undefined;
  const { name } = isJsonMap(config['defaultConfig']) ? config['defaultConfig'] : config;
  return typeof name === 'string' && !isNoDefault(name) ? name : undefined;
}

/** Whether an entry of a list of configurations, which is not validated, names the kind of templates. */
function namesTemplate(config: unknown): boolean {
  if (!isJsonMap(config)) return false;
  const { group, resource } = config;
  return typeof group === 'string' && typeof resource === 'string' && isTemplate({ group, resource });
}
