import { keyOfName } from '../../../client/object.ts';
import type { ControllerContext } from '../controller-context.ts';
import { isSupported, type ManagedOnCluster } from '../managed-add-ons.ts';
import { configKey, missingConfig, type ConfigFacts, type ConfigName } from './config-references.ts';
import { factsOf } from './followed-configs.ts';
import { configKindKey, isDeploymentConfig, isTemplate } from '../../../ocm/referent.ts';

/**
 * Returns the facts of configurations, by `configKey`.
 *
 * Kinds that the definition of the add-on does not support are not looked up. Otherwise, anyone who may reference
 * configurations for one cluster could have any kind listed, of all namespaces, and learn its hashes.
 */
export async function configFacts(
  { informers, configs }: ControllerContext,
  { addOn, onCluster }: Pick<ManagedOnCluster, 'addOn' | 'onCluster'>,
  names: readonly ConfigName[],
): Promise<ReadonlyMap<string, ConfigFacts>> {
  const facts = new Map<string, ConfigFacts>();
  const cluster = onCluster.metadata.namespace ?? '';
  const kindsOfCluster = new Set((onCluster.spec.configs ?? []).map(configKindKey));
  for (const config of names) {
    const { namespace, name } = config;
    const informer = isTemplate(config)
      ? informers.addOnTemplates
      : isDeploymentConfig(config)
        ? informers.addOnDeploymentConfigs
        : undefined;
    const key = keyOfName(namespace === '' ? { name } : { namespace, name });
    const object = informer?.store.get(key);
    if (object !== undefined) facts.set(configKey(config), factsOf(object));
    else if (informer === undefined)
      facts.set(
        configKey(config),
        isSupported(addOn, config)
          ? await configs.facts(config, kindsOfCluster.has(configKindKey(config)) ? cluster : undefined)
          : missingConfig('is of a kind that the add-on does not list'),
      );
  }
  return facts;
}
