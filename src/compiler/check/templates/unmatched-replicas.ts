import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import type { RenderGroup } from '../../render/render-result.ts';
import { readReplicaConfigs, replicasFor, workloadId } from '../../render/decoration/replica-configs.ts';
import { isManifestSource } from '../../model/source-kinds.ts';
import { didYouMean } from '../../model/suggestion.ts';
import { clusterCount, quote } from '../../model/words.ts';
import type { Rule } from '../rule.ts';
import { sampleOf } from './rendered-sample.ts';
import { usedConfigs } from './used-configs.ts';

/** Reports entries of `replicaConfigs` that match no workload of any template that is rendered with the configuration. */
export const unmatchedReplicas: Rule = {
  codes: ['FW7151'],
  *check({ rendering }) {
    for (const { config, groups } of usedConfigs(rendering)) {
      const { replicaConfigs = [] } = config.object.spec;
      if (replicaConfigs.length === 0) continue;
      const samples = groups.map((group) => workloadIds(group));
      // If the hub cannot render, the render phase reports it.
      if (samples.includes(undefined)) continue;
      const ids = [...new Set(samples.flatMap((sampleIds) => sampleIds ?? []))];
      for (const [index, entry] of replicaConfigs.entries()) {
        const [read] = readReplicaConfigs([entry]);
        if (read === undefined || ids.some((id) => replicasFor([read], id) !== undefined)) continue;
        const clusters = groups.reduce((sum, group) => sum + group.clusters.length, 0);
        const why =
          read.pattern === undefined
            ? `workloadID ${quote(entry.workloadID)} is not a valid pattern`
            : `no workload matches workloadID ${quote(entry.workloadID)}`;
        yield diagnostic('FW7151', {
          message: `${why}, so its number of replicas has no effect on ${clusterCount(clusters)}`,
          ...pointAt(config, ['spec', 'replicaConfigs', index, 'workloadID']),
          hint:
            didYouMean(entry.workloadID, ids, 'the workloads are') ??
            'the templates have no Deployment and no StatefulSet: remove the entry',
        });
      }
    }
  },
};

/** Returns the ids of the workloads that a group renders from manifests; undefined if the hub cannot render it. */
function workloadIds(group: RenderGroup): readonly string[] | undefined {
  const sample = sampleOf(group);
  if ('error' in sample) return undefined;
  const manifests = group.template.object.spec.agentSpec.workload?.manifests ?? [];
  return sample.objects.flatMap(({ object, manifest }) => {
    // Charts get no replicas.
    const source = manifest === undefined ? undefined : manifests[manifest];
    return source !== undefined && isManifestSource(source) ? [] : (workloadId(object) ?? []);
  });
}
