import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import type { RenderGroup } from '../../render/render-result.ts';
import { closest } from '../../model/suggestion.ts';
import { clusterCount } from '../../model/words.ts';
import { templateKey } from './rendered-sample.ts';
import type { Rule } from '../rule.ts';
import { talliedPerPart, type Tallied } from './tally.ts';
import { isVariableName, templateTags } from './template-tag.ts';

/** Reports variables without a value in any configuration. The hub silently replaces them with nothing. */
export const undefinedVariable: Rule = {
  codes: ['FW7101'],
  check: ({ rendering }) => findings(rendering.groups),
};

const findings = talliedPerPart(undefinedIn);

function* undefinedIn(group: RenderGroup): Iterable<Tallied> {
  const { values } = group.manifests.variables(group.clusters[0] ?? '') ?? {};
  if (values === undefined) return;
  const { manifests = [] } = group.template.object.spec.agentSpec.workload ?? {};
  for (const { tag, path } of templateTags(group)) {
    if (!isVariableName(tag) || values.has(tag)) continue;
    yield {
      key: templateKey(group, ...path, tag),
      clusters: group.clusters.length,
      tell: (clusters) =>
        diagnostic('FW7101', {
          message: `variable "${tag}"${inWords(manifests[Number(path[4])])} has no value on ${clusterCount(clusters)}, so {{${tag}}} becomes an empty string`,
          ...pointAt(group.template, path),
          hint:
            tag === 'INSTALL_NAMESPACE' || tag === 'HUB_KUBECONFIG'
              ? unset[tag]
              : `give it a value in customizedVariables of the AddOnDeploymentConfig${similar(tag, values)}`,
        }),
    };
  }
}

const unset = {
  INSTALL_NAMESPACE:
    'it has a value only where an AddOnDeploymentConfig with an agentInstallNamespace is used',
  HUB_KUBECONFIG: 'it has a value only where the template has registrations',
} as const;

function similar(tag: string, values: ReadonlyMap<string, string>): string {
  const other = closest(tag, values.keys());
  return other === undefined ? '' : `; did you mean "${other}"?`;
}

/** Returns ` in Deployment agent`: the manifest that contains the path. */
function inWords(manifest: object | undefined): string {
  const { kind, metadata } = (manifest ?? {}) as { kind?: unknown; metadata?: { name?: unknown } };
  return typeof kind === 'string' && typeof metadata?.name === 'string' ? ` in ${kind} ${metadata.name}` : '';
}
