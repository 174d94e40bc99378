import { diagnostic } from '../../model/diagnostic.ts';
import { isGoJsonList, isGoJsonObject, type GoJsonObject } from '../../../base/json/go-json.ts';
import { pointAt } from '../../model/point-at.ts';
import { nameOf } from '../../../base/objects/object-identity.ts';
import type { RenderGroup } from '../../render/render-result.ts';
import { resourcesFor, readResourceRequirements } from '../../render/decoration/resource-requirements.ts';
import { didYouMean } from '../../model/suggestion.ts';
import { clusterCount, quote } from '../../model/words.ts';
import type { Rule } from '../rule.ts';
import { renderedSample } from './rendered-sample.ts';
import { usedConfigs } from './used-configs.ts';

/**
 * Reports container ids of resource requirements that match no container of any template that is rendered with the configuration.
 * The hub ignores them. A pattern with `*` may be intended for other templates.
 */
export const unmatchedContainer: Rule = {
  codes: ['FW7136'],
  *check({ rendering }) {
    for (const { config, groups } of usedConfigs(rendering)) {
      const { resourceRequirements = [] } = config.object.spec;
      if (resourceRequirements.length === 0) continue;
      const samples = groups.map((group) => containerIds(group));
      // If the hub cannot render, the render phase reports it.
      if (samples.some((ids) => ids === undefined)) continue;
      const ids = [...new Set(samples.flatMap((sampleIds) => sampleIds ?? []))];
      for (const [index, requirement] of resourceRequirements.entries()) {
        const { containerID } = requirement;
        const read = readResourceRequirements([requirement]);
        if ('error' in read || read.some(({ pattern }) => pattern === undefined)) continue;
        if (ids.some((id) => resourcesFor(read, id) !== undefined)) continue;
        const clusters = groups.reduce((sum, group) => sum + group.clusters.length, 0);
        const hint = didYouMean(containerID, ids, 'the containers are');
        yield diagnostic('FW7136', {
          message: `no container matches containerID ${quote(containerID)}, so its resources have no effect on ${clusterCount(clusters)}`,
          ...pointAt(config, ['spec', 'resourceRequirements', index, 'containerID']),
          hint: hint ?? 'the templates have no Deployment and no DaemonSet: remove the entry',
        });
      }
    }
  },
};

/** Returns ids such as `deployments:agent:main` of all containers that a group renders; undefined if the hub cannot render it. */
function containerIds(group: RenderGroup): readonly string[] | undefined {
  const objects = renderedSample(group);
  if (objects.length === 0) return undefined;
  return objects.flatMap(({ object, workload }) =>
    workload === undefined
      ? []
      : containersOf(object).map((container) => `${workload}:${nameOf(object)}:${nameIn(container)}`),
  );
}

/** Returns the containers of a workload's pods, without init containers, which no setting affects. */
export function containersOf(workload: GoJsonObject): readonly GoJsonObject[] {
  const { spec } = workload;
  const template = isGoJsonObject(spec) ? spec['template'] : undefined;
  const pod = isGoJsonObject(template) ? template['spec'] : undefined;
  const containers = isGoJsonObject(pod) ? pod['containers'] : undefined;
  return isGoJsonList(containers) ? containers.filter(isGoJsonObject) : [];
}

function nameIn({ name }: GoJsonObject): string {
  return typeof name === 'string' ? name : '';
}
