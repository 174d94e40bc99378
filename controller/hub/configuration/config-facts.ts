import { keyOfName } from '../../../kubernetes/client/object.ts';
import type { HubContext } from '../hub-context.ts';
import { isSupported, type ManagedOnCluster } from '../managed-add-ons.ts';
import { configKey, missingConfig, type ConfigFacts, type ConfigName } from './config-references.ts';
import { factsOf } from './followed-configs.ts';
import { isTemplate, isDeploymentConfig } from '../../../ocm/referent.ts';

/**
 * Returns the facts of configurations, by `configKey`.
 *
 * Kinds that the definition of the add-on does not support are not looked up. Otherwise, anyone who may reference
 * configurations for one cluster could have any kind listed, of all namespaces, and learn its hashes.
 */
export async function configFacts(
  { informers, configs }: HubContext,
  { addOn, onCluster }: Pick<ManagedOnCluster, 'addOn' | 'onCluster'>,
  names: readonly ConfigName[],
): Promise<ReadonlyMap<string, ConfigFacts>> {
  const facts = new Map<string, ConfigFacts>();
  const cluster = onCluster.metadata.namespace ?? '';
  const ownKinds = new Set((onCluster.spec.configs ?? []).map(kindOf));
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
          ? await configs.facts(config, ownKinds.has(kindOf(config)) ? cluster : undefined)
          : missingConfig('is of a kind that the add-on does not list'),
      );
  }
  return facts;
}

function kindOf({ group = '', resource }: { readonly group?: string; readonly resource: string }): string {
  return `${resource}.${group}`;
}
