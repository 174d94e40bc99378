import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { groupVersionKind } from '../../../base/objects/object-identity.ts';
import type { RenderGroup } from '../../render/render-result.ts';
import type { Settings } from '../../render/settings.ts';
import { clusterCount } from '../../model/words.ts';
import { objectWords, renderedSample, templateKey } from './rendered-sample.ts';
import type { Rule } from '../rule.ts';
import { talliedPerPart, type Tallied } from './tally.ts';

const podKinds: ReadonlySet<string> = new Set(['StatefulSet', 'ReplicaSet', 'Job', 'CronJob', 'Pod']);

/** Reports workloads that the hub never decorates, although there are settings or registrations for them. */
export const undecoratedKind: Rule = {
  codes: ['FW7107'],
  check: ({ rendering }) => findings(rendering.groups),
};

const findings = talliedPerPart(undecoratedIn);

function* undecoratedIn(group: RenderGroup): Iterable<Tallied> {
  const { settings } = group.manifests;
  if ('error' in settings) return;
  const missed = [
    ...((group.template.object.spec.registration ?? []).length > 0 ? ['registrations'] : []),
    ...settingsOf(settings),
  ];
  if (missed.length === 0) return;
  for (const { object, manifest } of renderedSample(group)) {
    if (manifest === undefined || !podKinds.has(groupVersionKind(object).kind)) continue;
    yield {
      key: templateKey(group, manifest, missed),
      clusters: group.clusters.length,
      tell: (clusters) =>
        diagnostic('FW7107', {
          message: `${objectWords(object)} does not get the ${missed.join(', ')} on ${clusterCount(clusters)}: the hub changes only Deployments and DaemonSets`,
          ...pointAt(group.template, ['spec', 'agentSpec', 'workload', 'manifests', manifest]),
          hint: 'use variables in the manifest, or make it a Deployment',
        }),
    };
  }
}

function settingsOf({ nodePlacement, registries = [], proxy, resources = [] }: Settings): string[] {
  return [
    ...(nodePlacement !== undefined && !('error' in nodePlacement) && nodePlacement.nodeSelector !== undefined
      ? ['node placement']
      : []),
    ...(!('error' in registries) && registries.length > 0 ? ['registries'] : []),
    ...(proxy === undefined ? [] : ['proxy']),
    ...(!('error' in resources) && resources.length > 0 ? ['resource requirements'] : []),
  ];
}
