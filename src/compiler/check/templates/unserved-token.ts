import { conditionOf } from '../../../base/objects/condition.ts';
import { tokenInfrastructureReady, usesToken } from '../../../ocm/token-infrastructure.ts';
import type { ManagedClusterAddOnV1beta1 } from '../../../../schemas/types.gen.ts';
import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import type { Rule } from '../rule.ts';
import { usedTemplates } from './used-templates.ts';

/**
 * Reports agents of add-ons with compiled delivery that register with tokens while nothing on the hub serves them. The addon-manager of
 * the hub serves them if it runs, and otherwise only a companion that is configured for it.
 */
export const unservedToken: Rule = {
  codes: ['FW7140'],
  *check({ configuration, rendering, hub }) {
    if (!hub.createsTokenInfrastructure) return;
    for (const { addOn, template, groups } of usedTemplates(rendering)) {
      const { clusters: installed, delivery } = configuration.get(addOn) ?? {};
      const index = (template.object.spec.registration ?? []).findIndex(({ type }) => type === 'KubeClient');
      if (installed === undefined || delivery !== 'compiled' || index < 0) continue;
      const unserved = groups
        .flatMap(({ clusters }) => clusters)
        .filter((cluster) => waitsForToken(installed.get(cluster)?.managedClusterAddOn?.object))
        .sort();
      const [first] = unserved;
      if (first === undefined) continue;
      const where =
        unserved.length === 1 ? `cluster "${first}"` : `${unserved.length} clusters, such as "${first}",`;
      yield diagnostic('FW7140', {
        message: `the agent of add-on "${addOn}" on ${where} registers with a token, and nothing on the hub has created its ServiceAccount: it gets no credentials`,
        ...pointAt(template, ['spec', 'registration', index]),
        hint: "set tokenRegistration: true on the CompanionController, run OCM's addon-manager, or register agents with certificates",
      });
    }
  },
};

function waitsForToken({ status = {} }: Partial<ManagedClusterAddOnV1beta1> = {}): boolean {
  return usesToken(status) && conditionOf(status.conditions, tokenInfrastructureReady)?.status !== 'True';
}
