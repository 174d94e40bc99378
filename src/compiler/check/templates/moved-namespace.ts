import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { clusterCount } from '../../model/words.ts';
import { defaultInstallNamespace } from '../../../ocm/install-namespace.ts';
import type { CheckInput, Rule } from '../rule.ts';
import { tally, type Tallied } from './tally.ts';
import { usedConfigs, type UsedConfig } from './used-configs.ts';

/**
 * Reports configurations that may move a template's objects unintentionally, because they do not set the install namespace. An
 * admitted object does not show whether the default was written or filled in.
 */
export const movedNamespace: Rule = {
  codes: ['FW7108'],
  check: (input) => tally(movedIn(input)),
};

function* movedIn({ rendering, parameters }: CheckInput): Iterable<Tallied> {
  for (const used of usedConfigs(rendering)) {
    const { config, groups } = used;
    if (config.object.spec.agentInstallNamespace !== defaultInstallNamespace) continue;
    const namespaces = namespacesOf(used);
    if (namespaces.length === 0) continue;
    const place = pointAt(config, ['spec', 'agentInstallNamespace']);
    const isCompiled = groups.some(({ addOn }) => parameters.has(addOn));
    yield {
      // All configurations that are compiled from the same parameters have the same location.
      key: JSON.stringify([isCompiled ? '' : place.object, place.location, namespaces]),
      clusters: groups.reduce((sum, group) => sum + group.clusters.length, 0),
      tell: (clusters) =>
        diagnostic('FW7108', {
          message: `the hub moves the objects that the template has in ${namespaces.map((name) => `"${name}"`).join(', ')} to "${defaultInstallNamespace}" on ${clusterCount(clusters)}: the configuration has that agentInstallNamespace, which is the default`,
          ...place,
          hint: isCompiled
            ? 'declare a parameter with field: agentInstallNamespace; the value "" keeps the namespaces of the template'
            : 'write agentInstallNamespace: "" to keep the namespaces of the template, or set the namespace that you want',
        }),
    };
  }
}

/** Returns the namespaces, and names of Namespaces, in the templates' manifests that differ from the default namespace. */
function namespacesOf({ groups }: UsedConfig): string[] {
  const names = new Set<string>();
  for (const { template } of groups) {
    for (const manifest of template.object.spec.agentSpec.workload?.manifests ?? []) {
      const { namespace = '', name = '' } = manifest.metadata ?? {};
      const moved = namespace !== '' ? namespace : manifest.kind === 'Namespace' ? name : '';
      // a name with variables can follow the configuration
      if (moved !== '' && moved !== defaultInstallNamespace && !moved.includes('{{')) names.add(moved);
    }
  }
  return [...names].sort();
}
