import { pointAt } from '../../point-at.ts';
import { clusterCount } from '../../words.ts';
import { defaultInstallNamespace } from '../../render/install-namespace.ts';
import type { Rule } from '../rule.ts';
import { usedConfigs, type UsedConfig } from './used-configs.ts';

/**
 * A configuration that moves a template's objects perhaps only because it does not say that they should stay: whether the
 * default was written or filled in, an admitted object does not tell.
 */
export const movedNamespace: Rule = function* ({ rendering }) {
  for (const used of usedConfigs(rendering)) {
    const { config, groups } = used;
    if (config.object.spec.agentInstallNamespace !== defaultInstallNamespace) continue;
    const namespaces = namespacesOf(used);
    if (namespaces.length === 0) continue;
    const clusters = groups.reduce((sum, group) => sum + group.clusters.length, 0);
    yield {
      code: 'FW7108',
      severity: 'warning',
      message: `the hub moves what the template has in ${namespaces.map((name) => `"${name}"`).join(', ')} to "${defaultInstallNamespace}" on ${clusterCount(clusters)}: the configuration has that agentInstallNamespace, which is the default`,
      ...pointAt(config, ['spec', 'agentInstallNamespace']),
      hint: 'write agentInstallNamespace: "" to leave everything where the template has it, or name the namespace that you mean',
    };
  }
};

/** The namespaces, and names of Namespaces, of the templates' manifests that are not the default one. */
function namespacesOf({ groups }: UsedConfig): string[] {
  const names = new Set<string>();
  for (const { template } of groups) {
    for (const manifest of template.object.spec.agentSpec.workload?.manifests ?? []) {
      const { namespace = '', name = '' } = manifest.metadata ?? {};
      const moved = namespace !== '' ? namespace : manifest.kind === 'Namespace' ? name : '';
      // a name with variables in it may well follow the configuration
      if (moved !== '' && moved !== defaultInstallNamespace && !moved.includes('{{')) names.add(moved);
    }
  }
  return [...names].sort();
}
