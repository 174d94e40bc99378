import { namespaceOf } from '../../../base/objects/object-identity.ts';
import { agentNamespace } from '../../../ocm/agent-namespace.ts';
import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { clusterCount, quote } from '../../model/words.ts';
import { registrationVolumes } from '../../render/decoration/registration-volumes.ts';
import type { RenderGroup } from '../../render/render-result.ts';
import { objectWords, renderedSample, templateKey } from '../templates/rendered-sample.ts';
import { tally, type Tallied } from '../templates/tally.ts';
import type { Rule, RuleInput } from '../rule.ts';

/**
 * Reports workloads whose pods mount the Secrets of a registration in another namespace than the one that has them. As
 * TemplateAgentRegistrationNamespaceFunc: the agent writes the Secrets into the namespace of the first Deployment only.
 */
export const credentialNamespace: Rule = {
  codes: ['FW8318'],
  check: (input) => tally(input.rendering.groups.flatMap((group) => [...unmounted(group, input)])),
};

function* unmounted(group: RenderGroup, { hub }: RuleInput): Iterable<Tallied> {
  const { addOn, template, manifests, clusters } = group;
  if (template.source !== 'app' || 'error' in manifests.settings) return;
  const volumes = registrationVolumes(addOn, template.object);
  if ('error' in volumes || volumes.volumes.length === 0) return;
  // a configured namespace moves all objects into it
  if (manifests.settings.installNamespace !== '') return;
  const secrets = agentNamespace(template.object, hub.kubernetesMinor);
  for (const { object, workload, manifest } of renderedSample(group)) {
    const namespace = namespaceOf(object);
    if (workload === undefined || manifest === undefined || namespace === secrets) continue;
    yield {
      key: templateKey(group, 'FW8318', manifest),
      clusters: clusters.length,
      tell: (count) =>
        diagnostic('FW8318', {
          message: `the pods of ${objectWords(object)} never start on ${clusterCount(count)}: the Secrets of the registrations, which they mount, are only in namespace ${quote(secrets)}`,
          ...pointAt(template, [
            'spec',
            'agentSpec',
            'workload',
            'manifests',
            manifest,
            'metadata',
            'namespace',
          ]),
          hint: 'put all Deployments and DaemonSets of the template into one namespace, or divide them between two add-ons',
        }),
    };
  }
}
