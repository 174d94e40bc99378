import type { ClusterManagementAddOnV1alpha1 } from '../../../schemas/types.gen.ts';
import { keyOfName } from '../../kube/object.ts';
import type { HubContext } from '../hub-context.ts';
import { isDeploymentConfig, isSupported, isTemplate } from '../managed-add-ons.ts';
import { configKey, missingConfig, type ConfigFacts, type ConfigName } from './config-references.ts';
import { factsOf } from './followed-configs.ts';

/**
 * What is known of configurations, by `configKey`.
 *
 * Of kinds that the definition of the add-on does not support nothing is looked up: whoever may name configurations for one
 * cluster would have any kind listed, of all namespaces, and learn its hashes.
 */
export async function configFacts(
  { informers, configs }: HubContext,
  addOn: ClusterManagementAddOnV1alpha1,
  names: readonly ConfigName[],
): Promise<ReadonlyMap<string, ConfigFacts>> {
  const facts = new Map<string, ConfigFacts>();
  for (const config of names) {
    const { namespace, name } = config;
    const own = isTemplate(config)
      ? informers.addOnTemplates
      : isDeploymentConfig(config)
        ? informers.addOnDeploymentConfigs
        : undefined;
    const key = keyOfName(namespace === '' ? { name } : { namespace, name });
    const object = own?.store.get(key);
    if (object !== undefined) facts.set(configKey(config), factsOf(object));
    else if (own === undefined)
      facts.set(
        configKey(config),
        isSupported(addOn, config)
          ? await configs.facts(config)
          : missingConfig('is of a kind that the add-on does not list'),
      );
  }
  return facts;
}
