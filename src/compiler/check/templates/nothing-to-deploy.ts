import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { clusterCount } from '../../model/words.ts';
import { sampleOf } from './rendered-sample.ts';
import type { Rule } from '../rule.ts';
import type { RenderGroup } from '../../render/render-result.ts';
import { talliedPerPart, type Tallied } from './tally.ts';

/** Reports templates that deploy nothing. The add-on then stays progressing. */
export const nothingToDeploy: Rule = {
  codes: ['FW7118'],
  check: ({ rendering }) => findings(rendering.groups),
};

const findings = talliedPerPart(emptyIn);

function* emptyIn(group: RenderGroup): Iterable<Tallied> {
  const { template, clusters, addOn } = group;
  const rendered = sampleOf(group);
  if ('error' in rendered || !rendered.objects.every(({ isHook }) => isHook)) return;
  const hooks = rendered.objects.length;
  yield {
    key: `${addOn}/${template.object.metadata.name}`,
    clusters: clusters.length,
    tell: (clusters) =>
      diagnostic('FW7118', {
        message: `the template has nothing to deploy${hooks === 0 ? '' : ' except hooks for the deletion'}: add-on "${addOn}" remains progressing and unavailable on ${clusterCount(clusters)}`,
        ...pointAt(template, ['spec', 'agentSpec', 'workload']),
        hint: 'add a manifest; a Deployment or DaemonSet also lets the hub report whether the add-on is available',
      }),
  };
}
